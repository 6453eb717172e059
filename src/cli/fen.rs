//! `shashki fen`.

use crate::board::Square;
use crate::cli::args::FenArgs;
use crate::cli::games::Output;
use crate::engine;
use crate::notation::diagram::Diagram;
use crate::notation::{Numbering, Spelling, board_text, fen, movetext};
use crate::protocol::output;
use crate::rules::DrawRules;
use serde_json::json;

pub(super) fn run(args: &FenArgs) -> Result<(), String> {
    let moves = args.moves.as_deref().unwrap_or("").split_whitespace();
    let rules = DrawRules::standard();
    let (game, _) = engine::read_game(args.fen.as_deref(), moves, &rules, args.numbering)
        .map_err(|error| error.to_string())?;
    let position = game.position();
    let spelled = |spelling| fen::write(position, spelling);
    let names = [
        ("algebraic", spelled(Spelling::Algebraic)),
        ("numeric_b8", spelled(Spelling::Numeric(Numbering::B8))),
        ("numeric_a1", spelled(Spelling::Numeric(Numbering::A1))),
        ("hub", fen::write_hub(position)),
    ];
    let legal = position.legal_moves();
    let legal = legal.iter();
    let legal: Vec<String> = legal
        .map(|&mv| movetext::write_full(position, mv, Spelling::Algebraic))
        .collect();
    if args.json {
        let mut told = json!({
            "side": position.side().to_string().to_lowercase(),
            "white": position.pieces(crate::board::Side::White).count(),
            "black": position.pieces(crate::board::Side::Black).count(),
            "kings": position.all_kings().count(),
            "legal": legal,
        });
        for (name, text) in names {
            told[name] = text.into();
        }
        output::line(&told.to_string());
    } else {
        board_text::board(position)
            .iter()
            .for_each(|line| output::line(line));
        output::line("");
        for (name, text) in names {
            output::line(&format!("{name:10} {text}"));
        }
        output::line(&format!("{:10} {} to move", "side", position.side()));
        output::line(format!("{:10} {}", "legal", legal.join(" ")).trim_end());
    }
    let Some(path) = &args.svg else {
        return Ok(());
    };
    let arrows: Result<Vec<_>, String> = args.arrow.iter().map(|text| arrow(text)).collect();
    let picture = Diagram {
        position,
        last_move: game.moves().last().copied(),
        arrows: &arrows?,
        turned: args.turned,
    };
    let mut file = Output::open(Some(path))?;
    file.write(picture.svg().as_bytes(), false)
        .and_then(|()| file.finish())
        .map_err(|error| format!("{}: {error}", path.display()))
}

/// From `c3-d4`.
fn arrow(text: &str) -> Result<(Square, Square), String> {
    let square = |name: &str| {
        let mut letters = name.chars();
        let file = "abcdefgh".find(letters.next()?.to_ascii_lowercase())?;
        let rank = letters.next()?.to_digit(10)?.checked_sub(1)? as usize;
        letters.next().is_none().then(|| Square::new(file, rank))?
    };
    let ends = text.split_once(['-', ':', 'x']);
    let arrow = ends.and_then(|(from, to)| Some((square(from)?, square(to)?)));
    arrow.ok_or_else(|| format!("\"{text}\" is not from a dark square to another, such as c3-d4"))
}
