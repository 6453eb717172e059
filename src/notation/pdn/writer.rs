//! From games to text.

use crate::board::Side;
use crate::notation::Spelling;
use crate::notation::fen;
use crate::notation::movetext;
use crate::notation::pdn::game::{Item, Outcome, PdnGame};
use crate::rules::{Game, GameEnd, Position};

/// What stands between the squares of a capture.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub enum CaptureSign {
    /// `:`, as the standard has it for Russian draughts.
    #[default]
    Colon,
    /// `x`, which pydraughts needs.
    Cross,
}

impl CaptureSign {
    /// A move as [`movetext`] writes it, with this sign; numbers always have the cross.
    pub(super) fn put_into(self, text: &str, spelling: Spelling) -> String {
        match (self, spelling) {
            (CaptureSign::Cross, Spelling::Algebraic) => text.replace(':', "x"),
            _ => text.to_owned(),
        }
    }
}

/// Width at which lines of moves are broken.
const WIDTH: usize = 80;

/// Writes a game: tags, an empty line, the moves, the result, an empty line. The text read again is
/// the same game.
#[must_use]
pub fn write(game: &PdnGame) -> String {
    let mut text = String::new();
    for (name, value) in &game.tags {
        let value = value
            .replace('\\', "\\\\")
            .replace('"', "\\\"")
            .replace('\n', " ");
        text.push_str(&format!("[{name} \"{value}\"]\n"));
    }
    if !game.tags.is_empty() {
        text.push('\n');
    }
    let start = game.tag("FEN").filter(|text| !text.is_empty());
    let start = start.and_then(|text| fen::read(text, game.numbering()).ok());
    let side = start.map_or(Side::White, |fen| fen.position.side());
    let mut lines = Lines { text, width: 0 };
    write_items(&mut lines, &game.items, usize::from(side == Side::Black));
    lines.word(
        &game
            .terminator
            .unwrap_or_else(|| game.outcome())
            .to_string(),
    );
    lines.text.push_str("\n\n");
    lines.text
}

/// Writes items; `ply` is the ply of the first move, even for White. Black's moves have a number only where a
/// line begins with one: pydraughts 0.6.7 cannot read a game in which a number comes twice.
fn write_items(lines: &mut Lines, items: &[Item], mut ply: usize) {
    let mut need_number = true;
    for item in items {
        match item {
            Item::Move { text, .. } => {
                if ply.is_multiple_of(2) {
                    lines.word(&format!("{}.", ply / 2 + 1));
                } else if need_number {
                    lines.word(&format!("{}...", ply / 2 + 1));
                }
                lines.word(text);
                ply += 1;
                need_number = false;
            }
            Item::Comment(comment) => {
                // A brace cannot be written inside a comment unless it has its partner.
                let comment = &comment.replace(['\n', '\r'], " ");
                let balanced = balanced(comment);
                let comment = if balanced {
                    comment.clone()
                } else {
                    comment.replace('{', "(").replace('}', ")")
                };
                lines.words(&format!("{{{comment}}}"));
            }
            Item::Nag(number) => lines.word(&format!("${number}")),
            Item::Variation(items) => {
                lines.word("(");
                write_items(lines, items, ply.saturating_sub(1));
                lines.word(")");
            }
            Item::SetPosition(fen) => {
                lines.word(&format!("/FEN \"{fen}\"/"));
            }
        }
    }
}

fn balanced(comment: &str) -> bool {
    let mut depth = 0;
    for c in comment.chars() {
        match c {
            '{' => depth += 1,
            '}' if depth == 0 => return false,
            '}' => depth -= 1,
            _ => {}
        }
    }
    depth == 0
}

/// Words put on lines of limited width.
struct Lines {
    text: String,
    width: usize,
}

impl Lines {
    fn word(&mut self, word: &str) {
        let length = word.chars().count();
        if self.width > 0 {
            // At the beginning of a line a bracket would be taken for a tag.
            if self.width + 1 + length > WIDTH && !word.starts_with('[') {
                self.text.push('\n');
                self.width = 0;
            } else {
                self.text.push(' ');
                self.width += 1;
            }
        }
        self.text.push_str(word);
        self.width += length;
    }

    /// Text whose blanks may become line ends.
    fn words(&mut self, text: &str) {
        // A run of blanks inside a comment is part of it, so only single blanks are broken at.
        if text.contains("  ") {
            self.word(text);
        } else {
            text.split(' ').for_each(|word| self.word(word));
        }
    }
}

/// The text of a game that was played: the tags given, GameType, FEN where it is needed, the moves,
/// the result, and in a comment why the game ended.
#[must_use]
pub fn from_game(game: &Game, tags: &[(&str, &str)], sign: CaptureSign) -> PdnGame {
    let mut pdn = PdnGame::default();
    let end = game.end();
    let outcome = match end.map(GameEnd::winner) {
        None => Outcome::Unknown,
        Some(None) => Outcome::Draw,
        Some(Some(Side::White)) => Outcome::WhiteWins,
        Some(Some(Side::Black)) => Outcome::BlackWins,
    };
    let defaults = [
        ("Event", "?"),
        ("Site", "?"),
        ("Date", "????.??.??"),
        ("Round", "?"),
        ("White", "?"),
        ("Black", "?"),
    ];
    for (name, value) in defaults.iter().chain(tags) {
        pdn.set_tag(name, *value);
    }
    pdn.set_tag("Result", outcome.to_string());
    pdn.set_tag("GameType", "25,W,8,8,A0,0");
    if *game.start() != Position::start() {
        pdn.set_tag("SetUp", "1");
        pdn.set_tag("FEN", fen::write(game.start(), Spelling::Algebraic));
    }
    for (position, &mv) in game.positions().iter().zip(game.moves()) {
        let text = movetext::write_short(position, mv, Spelling::Algebraic);
        pdn.items.push(Item::Move {
            text: sign.put_into(&text, Spelling::Algebraic),
            line: 0,
        });
    }
    if let Some(end) = end {
        pdn.items.push(Item::Comment(end.to_string()));
    }
    pdn.terminator = Some(outcome);
    pdn
}
