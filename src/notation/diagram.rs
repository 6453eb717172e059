//! A position as a picture: SVG.

use crate::board::{Kind, Side, Square};
use crate::rules::{Move, Position};
use std::fmt::Write as _;

/// What a picture shows.
#[derive(Clone, Debug)]
pub struct Diagram<'a> {
    /// The position.
    pub position: &'a Position,
    /// The move that led to it: its squares are marked.
    pub last_move: Option<Move>,
    /// Arrows from square to square.
    pub arrows: &'a [(Square, Square)],
    /// Black at the bottom.
    pub turned: bool,
}

/// The shapes of the pieces, each around the middle of a square of 60 units, as `<symbol>`s with the names `wm`,
/// `wk`, `bm`, `bk`: colour and kind.
pub const SHAPES: &str = include_str!("shapes.svg");

/// Width of a square, and of the edge with the names of files and ranks.
const SQUARE: i32 = 60;
const EDGE: i32 = 24;

impl Diagram<'_> {
    /// The picture.
    #[must_use]
    pub fn svg(&self) -> String {
        let size = 8 * SQUARE + 2 * EDGE;
        let mut svg = format!(
            "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {size} {size}\" width=\"{size}\" \
             height=\"{size}\" role=\"img\">\n<title>{}</title>\n",
            crate::notation::fen::write(self.position, crate::notation::Spelling::Algebraic)
        );
        svg += SHAPES;
        svg += &format!("<rect width=\"{size}\" height=\"{size}\" fill=\"#f4efe4\"/>\n");
        let whole = 8 * SQUARE;
        svg += &format!(
            "<rect x=\"{EDGE}\" y=\"{EDGE}\" width=\"{whole}\" height=\"{whole}\" fill=\"#efd9b4\"/>\n"
        );
        let last = self.last_move.map(|mv| [mv.from(), mv.to()]);
        for square in Square::ALL {
            let (x, y) = self.corner(square);
            let marked = last.is_some_and(|squares| squares.contains(&square));
            let color = if marked { "#9a9b4f" } else { "#a9764b" };
            // Writing to a string does not fail, here and below.
            let _ = writeln!(
                svg,
                "<rect x=\"{x}\" y=\"{y}\" width=\"{SQUARE}\" height=\"{SQUARE}\" fill=\"{color}\"/>"
            );
        }
        self.names(&mut svg);
        for square in Square::ALL {
            let Some(piece) = self.position.piece_at(square) else {
                continue;
            };
            let (x, y) = self.corner(square);
            let color = match piece.side {
                Side::White => 'w',
                Side::Black => 'b',
            };
            let kind = match piece.kind {
                Kind::Man => 'm',
                Kind::King => 'k',
            };
            let _ = writeln!(
                svg,
                "<use href=\"#{color}{kind}\" x=\"{x}\" y=\"{y}\" width=\"{SQUARE}\" height=\"{SQUARE}\"/>"
            );
        }
        for &(from, to) in self.arrows {
            let [(x1, y1), (x2, y2)] = [from, to].map(|square| self.middle(square));
            let _ = writeln!(
                svg,
                "<line x1=\"{x1}\" y1=\"{y1}\" x2=\"{x2}\" y2=\"{y2}\" stroke=\"#2f6f9f\" \
                 stroke-width=\"7\" stroke-opacity=\"0.85\" marker-end=\"url(#arrow)\"/>"
            );
        }
        svg + "</svg>\n"
    }

    /// The upper left corner of a square.
    fn corner(&self, square: Square) -> (i32, i32) {
        let (file, rank) = (square.file() as i32, square.rank() as i32);
        let (column, row) = if self.turned {
            (7 - file, rank)
        } else {
            (file, 7 - rank)
        };
        (EDGE + SQUARE * column, EDGE + SQUARE * row)
    }

    fn middle(&self, square: Square) -> (i32, i32) {
        let (x, y) = self.corner(square);
        (x + SQUARE / 2, y + SQUARE / 2)
    }

    /// The names of files and ranks along the edges.
    fn names(&self, svg: &mut String) {
        *svg += "<g font-family=\"sans-serif\" font-size=\"15\" fill=\"#5d4a36\" text-anchor=\"middle\">\n";
        for at in 0..8 {
            let place = EDGE + SQUARE * at + SQUARE / 2;
            let along = if self.turned { 7 - at } else { at } as u8;
            let (file, rank) = (char::from(b'a' + along), 8 - along);
            let (below, beside) = (8 * SQUARE + EDGE + 17, EDGE / 2);
            let _ = writeln!(svg, "<text x=\"{place}\" y=\"{below}\">{file}</text>");
            let _ = writeln!(
                svg,
                "<text x=\"{beside}\" y=\"{}\">{rank}</text>",
                place + 5
            );
        }
        *svg += "</g>\n";
    }
}
