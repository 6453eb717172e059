//! Judged games as a page for a browser: one file that needs nothing else.

use crate::annotate::report::GameReport;
use crate::notation::diagram::SHAPES;

/// The page around the games.
const PAGE: &str = include_str!("page.html");

/// The page.
///
/// # Errors
/// Never in practice: reports can always be written as JSON.
pub fn page(reports: &[GameReport]) -> serde_json::Result<String> {
    // Inside a script the text must not end it.
    let games = serde_json::to_string(reports)?
        .replace('<', "\\u003c")
        .replace('\u{2028}', "\\u2028")
        .replace('\u{2029}', "\\u2029");
    let (head, rest) = PAGE.split_once("<!--SHAPES-->").unwrap_or((PAGE, ""));
    let (middle, tail) = rest.split_once("/*GAMES*/[]").unwrap_or((rest, ""));
    Ok([head, SHAPES, middle, &games, tail].concat())
}
