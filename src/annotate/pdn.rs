//! A judged game as a game file.

use crate::analyse::LineSays;
use crate::annotate::report::{GameReport, MoveReport};
use crate::notation::pdn::{Item, PdnGame};

/// The game as it was, with marks, comments and better lines behind the moves. What stood in the file stays,
/// except marks where there are new ones.
#[must_use]
pub fn annotated(game: &PdnGame, game_report: &GameReport) -> PdnGame {
    let mut annotated = game.clone();
    annotated.items.clear();
    annotated.set_tag("Annotator", concat!("Shashki ", env!("CARGO_PKG_VERSION")));
    for (name, side) in [("White", &game_report.white), ("Black", &game_report.black)] {
        if let Some(accuracy) = side.accuracy {
            annotated.set_tag(&format!("{name}Accuracy"), format!("{accuracy:.1}"));
        }
    }
    if annotated.tag("GameType").is_none() {
        let numeric = game_report
            .moves
            .first()
            .is_some_and(|first| is_numeric(&first.played));
        let game_type = if numeric {
            "25,W,8,8,N2,0"
        } else {
            "25,W,8,8,A0,0"
        };
        annotated.set_tag("GameType", game_type);
    }
    // Captures have the sign of the file: some readers know only one.
    let cross = game.moves().any(|text| text.contains('x'));
    let mut moves = game_report.moves.iter();
    let mut marked = false;
    for item in &game.items {
        match item {
            Item::Move { .. } => {
                annotated.items.push(item.clone());
                let report = moves.next();
                marked = report.is_some_and(|report| report.mark.is_some());
                if let Some(report) = report {
                    let leaves_book = game_report.left_book == Some(report.ply);
                    annotated.items.extend(about(report, cross, leaves_book));
                }
            }
            Item::Nag(1..=6) if marked => {}
            other => annotated.items.push(other.clone()),
        }
    }
    if let Some(error) = &game_report.error {
        annotated
            .items
            .push(Item::Comment(format!("not judged from here on: {error}")));
    }
    annotated
}

fn is_numeric(text: &str) -> bool {
    text.starts_with(|c: char| c.is_ascii_digit())
}

/// What is said about a move.
fn about(report: &MoveReport, cross: bool, leaves_book: bool) -> Vec<Item> {
    let mut items = Vec::new();
    if let Some(mark) = report.mark {
        items.push(Item::Nag(mark.nag()));
    }
    if report.near.only {
        items.push(Item::Nag(ONLY_MOVE));
    }
    let mut said = vec![format!("[%eval {}]", for_white(report))];
    if let Some(table) = &report.near.table {
        said.push(format!("tables before it: {}", table.value));
    }
    if report.loss > 0 && report.mark.is_some() {
        said.push(format!("gives away {:.2}", f64::from(report.loss) / 1000.0));
    }
    if leaves_book {
        said.push("leaves the book".to_owned());
    }
    if let Some(reason) = &report.near.drawn_by {
        said.push(format!("drawn: {reason}"));
    }
    items.push(Item::Comment(said.join(" ")));
    if report.mark.is_some() && report.loss > 0 {
        let better = report.best.pv.iter().take(LONGEST);
        let better = better.map(|text| Item::Move {
            text: if cross {
                text.replace(':', "x")
            } else {
                text.clone()
            },
            line: 0,
        });
        items.push(Item::Variation(better.collect()));
    }
    items
}

/// The annotation of a move to which there is no alternative.
const ONLY_MOVE: u8 = 8;
/// A better line is shown for so many plies.
const LONGEST: usize = 12;

/// The score after a move from the view of White, as readers of chess files expect it: in men, or `#5` for
/// a win in five more moves and `#-5` for a loss. A win by tables whose end has not been counted out is all men
/// there can be.
fn for_white(report: &MoveReport) -> String {
    let sign = if report.side == "white" { 1 } else { -1 };
    let LineSays {
        score_cp,
        proven,
        plies,
        ..
    } = &report.after;
    let sign = if *proven == Some("loss") { -sign } else { sign };
    match (score_cp, plies) {
        (Some(score), _) => format!("{:.2}", f64::from(sign * score) / 100.0),
        (None, None) => format!("{:.2}", f64::from(sign) * ALL_MEN),
        // One of the plies is the move itself; of the others the winner makes half.
        (None, Some(plies)) => {
            let moves = plies.saturating_sub(1).div_ceil(2);
            format!("#{}{moves}", if sign > 0 { "" } else { "-" })
        }
    }
}

/// The greatest score of an evaluation, men.
const ALL_MEN: f64 = 79.99;
