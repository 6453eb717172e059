//! Lines to words and words to lines. Pure: no engine, no input, no output.

use crate::notation::{Numbering, movetext};
use crate::rules::{Move, Position};
use crate::score::Score;
use crate::search::Info;

/// A line: a command word and its arguments.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Line {
    /// The command.
    pub command: String,
    /// `name=value` pairs, and bare words with an empty value, in order.
    pub arguments: Vec<(String, Option<String>)>,
}

impl Line {
    /// The value of an argument; `None` if it is missing or has none.
    #[must_use]
    pub fn value(&self, name: &str) -> Option<&str> {
        let found = self.arguments.iter().find(|(argument, _)| argument == name);
        found.and_then(|(_, value)| value.as_deref())
    }

    /// Whether a bare word stands in the line.
    #[must_use]
    pub fn has(&self, name: &str) -> bool {
        self.arguments.iter().any(|(argument, _)| argument == name)
    }
}

/// Reads a line: words separated by blanks, values behind `=`, quotes around values. Blanks around
/// `=` are allowed. A quote that is not closed runs to the end of the line.
#[must_use]
pub fn parse(line: &str) -> Line {
    let mut words: Vec<String> = Vec::new();
    let mut chars = line.trim().chars().peekable();
    // Words, `=` as a word of its own, and quoted values.
    while let Some(c) = chars.next() {
        match c {
            '"' => words.push(format!(
                "\"{}",
                chars.by_ref().take_while(|&c| c != '"').collect::<String>()
            )),
            '=' => words.push("=".to_owned()),
            c if c.is_whitespace() => {}
            c => {
                let mut word = String::from(c);
                while let Some(c) = chars.next_if(|&c| !c.is_whitespace() && c != '=' && c != '"') {
                    word.push(c);
                }
                words.push(word);
            }
        }
    }
    let unquote = |word: &str| word.strip_prefix('"').unwrap_or(word).to_owned();
    let mut words = words.into_iter().peekable();
    let command = words.next().map(|word| unquote(&word)).unwrap_or_default();
    let mut line = Line {
        command,
        arguments: Vec::new(),
    };
    while let Some(name) = words.next() {
        let equals = words.next_if(|word| word == "=");
        let value = equals.map(|_| words.next().map(|word| unquote(&word)).unwrap_or_default());
        line.arguments.push((unquote(&name), value));
    }
    line
}

/// `name=value`, with quotes where they are needed.
fn pair(name: &str, value: &str) -> String {
    if value.is_empty() || value.contains([' ', '=']) {
        format!("{name}=\"{value}\"")
    } else {
        format!("{name}={value}")
    }
}

/// An `error` line.
#[must_use]
pub fn error(message: &str) -> String {
    format!("error message=\"{message}\"")
}

/// A score in men; wins as 100 less a hundredth for each ply, those by endgame tables as 90 less as much.
#[must_use]
pub fn score(score: Score) -> String {
    match score.plies_to_end() {
        Some(plies) => {
            let value = 100.0 - f64::from(plies) / 100.0;
            format!("{:.2}", if score.is_win() { value } else { -value })
        }
        None if score.is_proven() => {
            let plies = score.plies_to_table_win();
            let value = 90.0 - f64::from(plies) / 100.0;
            format!("{:.2}", if score.raw() > 0 { value } else { -value })
        }
        None => format!("{:.2}", f64::from(score.raw()) / 100.0),
    }
}

/// The `info` line of an iteration.
#[must_use]
pub fn info(info: &Info, numbering: Numbering) -> String {
    let moves: Vec<String> = info
        .line
        .iter()
        .map(|&mv| movetext::write_hub(mv, numbering))
        .collect();
    let seconds = info.time.as_secs_f64();
    format!(
        "info depth={} mean-depth={:.1} score={} nodes={} time={seconds:.3} nps={:.3} {}",
        info.depth,
        f64::from(info.depth),
        score(info.score),
        info.nodes,
        info.nodes_per_second() as f64 / 1e6,
        // Always quoted: some clients cut the first and the last character off.
        format_args!("pv=\"{}\"", moves.join(" "))
    )
}

/// The `done` line: the first move of a line, and the second to ponder on.
#[must_use]
pub fn done(moves: &[Move], numbering: Numbering) -> String {
    let mut text = "done".to_owned();
    for (name, mv) in ["move", "ponder"].iter().zip(moves) {
        text.push(' ');
        text.push_str(&pair(name, &movetext::write_hub(*mv, numbering)));
    }
    text
}

/// Whether a text has the form of a move: two numbers or more, legal or not.
#[must_use]
pub fn is_move(text: &str) -> bool {
    let mut numbers = text.split(['-', 'x']);
    text.contains(['-', 'x']) && numbers.all(|number| number.parse::<u8>().is_ok())
}

/// Plays Hub moves; `None` if one cannot be read or is not legal.
#[must_use]
pub fn replay(start: &Position, moves: &str, numbering: Numbering) -> Option<Vec<Move>> {
    let mut position = *start;
    moves
        .split_whitespace()
        .map(|text| {
            let mv = movetext::read_hub(&position, text, numbering)?;
            position = position.play(mv);
            Some(mv)
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_values_and_quotes() {
        let line = parse("pos pos=Wbb moves=\"22-18 9-13\" flag  x = 3 empty=\"\"");
        assert_eq!(line.command, "pos");
        assert_eq!(line.value("pos"), Some("Wbb"));
        assert_eq!(line.value("moves"), Some("22-18 9-13"));
        assert!(line.has("flag") && line.value("flag").is_none());
        assert_eq!(line.value("x"), Some("3"));
        assert_eq!(line.value("empty"), Some(""));
        assert_eq!(parse("set-param name = \"open").value("name"), Some("open"));
        assert_eq!(parse("").command, "");
    }

    #[test]
    fn scores_in_men() {
        assert_eq!(score(Score::evaluation(12)), "0.12");
        assert_eq!(score(Score::evaluation(-7)), "-0.07");
        assert_eq!(score(Score::win_at(7)), "99.93");
        assert_eq!(score(Score::loss_at(8)), "-99.92");
        assert_eq!(score(Score::table_win_at(3)), "89.97");
        assert_eq!(score(Score::table_loss_at(0)), "-90.00");
    }
}
