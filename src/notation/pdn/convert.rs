//! A game in another spelling.

use crate::notation::error::MoveError;
use crate::notation::pdn::game::{Item, PdnGame};
use crate::notation::pdn::replay::{Replay, ReplayError};
use crate::notation::pdn::writer::CaptureSign;
use crate::notation::{Numbering, Spelling, fen, movetext};
use crate::rules::Position;

/// A game that was spelled anew.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Converted {
    /// The game.
    pub game: PdnGame,
    /// Its moves.
    pub replay: Replay,
    /// Variations that could not be played and stay as they were, with the first fault of each.
    pub kept: Vec<MoveError>,
}

impl PdnGame {
    /// The same game with its moves, its variations and its start position spelled so, and a GameType tag that
    /// says so.
    ///
    /// # Errors
    /// The main line cannot be played.
    pub fn converted(
        &self,
        spelling: Spelling,
        sign: CaptureSign,
    ) -> Result<Converted, ReplayError> {
        let replay = self.replay()?;
        let mut game = self.clone();
        let mut writer = Writer {
            spelling,
            sign,
            numbering: self.numbering(),
            kept: Vec::new(),
        };
        // The main line has just been played, so this cannot fail.
        if let Ok(items) = writer.line(&self.items, replay.start, replay.start) {
            game.items = items;
        }
        game.set_tag(
            "GameType",
            match spelling {
                Spelling::Algebraic => "25,W,8,8,A0,0",
                Spelling::Numeric(Numbering::A1) => "25,W,8,8,N0,0",
                Spelling::Numeric(Numbering::B8) => "25,W,8,8,N2,0",
            },
        );
        if self.tag("FEN").is_some_and(|text| !text.is_empty()) {
            let mut text = fen::write(&replay.start, spelling);
            if replay.half_moves > 0 {
                text += &format!(":H{}", replay.half_moves);
            }
            game.set_tag("FEN", text);
        }
        Ok(Converted {
            game,
            replay,
            kept: writer.kept,
        })
    }
}

struct Writer {
    spelling: Spelling,
    sign: CaptureSign,
    numbering: Numbering,
    kept: Vec<MoveError>,
}

impl Writer {
    /// The items of a line that begins at `position`; `before` is the position before the move in front of it.
    fn line(
        &mut self,
        items: &[Item],
        mut position: Position,
        mut before: Position,
    ) -> Result<Vec<Item>, MoveError> {
        let mut written = Vec::with_capacity(items.len());
        for item in items {
            written.push(match item {
                Item::Move { text, line } => {
                    let mv = movetext::read(&position, text, self.numbering)?;
                    let text = movetext::write_short(&position, mv, self.spelling);
                    before = position;
                    position = position.play(mv);
                    Item::Move {
                        text: self.sign.put_into(&text, self.spelling),
                        line: *line,
                    }
                }
                Item::Variation(inner) => match self.line(inner, before, before) {
                    Ok(inner) => Item::Variation(inner),
                    Err(error) => {
                        self.kept.push(error);
                        item.clone()
                    }
                },
                other => other.clone(),
            });
        }
        Ok(written)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::notation::pdn::Reader;

    fn read(text: &str) -> PdnGame {
        let game = Reader::new(text.as_bytes()).next_game().expect("text");
        game.expect("a game")
    }

    const GAME: &str = "[White \"Шмульян\"]\n[GameType \"25\"]\n\n1. c3-d4 {the main \
                        line} b6-a5 (1... d6-c5 2. b2-c3 $1 (2. d4xb6 a7xc5)) 2. d4-c5 (2. d4-e4 {no such move}) b6xd4 *\n";

    #[test]
    fn moves_and_variations_change_and_all_else_stays() {
        let game = read(
            "[Event \"x\"]\n1. c3-d4 {first} d6-c5 $2 (1... b6-a5 2. d4-c5 (2. d4-e5) d6xb4 3. a3xc5) 2. b2-c3 *",
        );
        let numeric = game
            .converted(Spelling::Numeric(Numbering::B8), CaptureSign::Colon)
            .expect("a good game");
        assert_eq!(numeric.kept, []);
        let moves: Vec<&str> = numeric.game.moves().collect();
        assert_eq!(moves, ["22-18", "10-14", "25-22"]);
        let text = crate::notation::pdn::write(&numeric.game);
        for part in [
            "{first}",
            "$2",
            "9-13",
            "18-15",
            "GameType \"25,W,8,8,N2,0\"",
        ] {
            assert!(text.contains(part), "{part}: {text}");
        }
        let back = read(&text)
            .converted(Spelling::Algebraic, CaptureSign::Cross)
            .expect("a good game");
        let again = game
            .converted(Spelling::Algebraic, CaptureSign::Cross)
            .expect("a good game");
        assert_eq!(back.replay, again.replay);
        let items = |game: &PdnGame| {
            crate::notation::pdn::write(game)
                .split("\n\n")
                .nth(1)
                .map(str::to_owned)
        };
        assert_eq!(items(&back.game), items(&again.game));
    }

    #[test]
    fn what_cannot_be_played_is_kept_or_refused() {
        let game = read(&GAME.replace("b6xd4 *", "*"));
        let converted = game.converted(Spelling::Numeric(Numbering::A1), CaptureSign::Colon);
        let converted = converted.expect("the main line is good");
        assert_eq!(converted.kept.len(), 2);
        let bad = read("1. c3-d4 c3-d4 *").converted(Spelling::Algebraic, CaptureSign::Colon);
        assert_eq!(bad.expect_err("no such move").ply, 2);
    }

    #[test]
    fn a_start_position_is_spelled_too() {
        let game = read("[FEN \"W:Wc1:Bh8:H3\"]\n1. c1-d2 *");
        let numeric = game.converted(Spelling::Numeric(Numbering::B8), CaptureSign::Colon);
        let numeric = numeric.expect("a good game").game;
        assert!(
            numeric
                .tag("FEN")
                .is_some_and(|fen| fen.starts_with("W:W30:B4"))
        );
        assert_eq!(numeric.replay().expect("plays").half_moves, 3);
    }
}
