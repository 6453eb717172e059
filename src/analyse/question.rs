//! What to think about: lines of text, JSON lines, or game files.
//!
//! A line of text is `[startpos | [fen] FEN] [moves …] [; id]`; one that begins with `{` is JSON, with the
//! keys `id`, `fen` and `moves`, all of which may be left out. Empty lines and lines that begin with `#` are
//! no questions.

use crate::engine::{self, PositionError};
use crate::notation::pdn::{self, PdnGame};
use crate::notation::{Lines, Numbering};
use crate::rules::{DrawRules, Game, Move};
use serde::Deserialize;
use serde_json::Value;
use std::io::{self, BufRead};

/// A position to think about.
#[derive(Clone, Debug)]
pub struct Question {
    /// The line of its file, from 1; of a game, the line where it begins.
    pub line: usize,
    /// What the asker calls it; JSON null if that is nothing.
    pub id: Value,
    /// The game that has come to it, or why it cannot be understood.
    pub game: Result<Game, String>,
}

/// How an input is to be read.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum What {
    /// Lines of text and of JSON.
    Lines,
    /// Games in PDN, all positions of the main line.
    Games,
    /// Games in PDN, the last position.
    LastOfGames,
}

/// The keys of a JSON line; others are passed over.
#[derive(Deserialize)]
struct Asked {
    #[serde(default)]
    id: Value,
    fen: Option<String>,
    #[serde(default)]
    moves: Moves,
}

/// Moves as a list, or as they stand in a `position` command.
#[derive(Deserialize)]
#[serde(untagged)]
enum Moves {
    List(Vec<String>),
    Words(String),
}

impl Default for Moves {
    fn default() -> Moves {
        Moves::List(Vec::new())
    }
}

/// Where questions come from.
enum Source<R> {
    Lines(Lines<R>),
    Games(pdn::Reader<R>, bool),
}

/// Reads questions one by one.
pub struct Reader<R> {
    source: Source<R>,
    rules: DrawRules,
    numbering: Numbering,
    /// A game whose positions come next.
    playing: Option<Playing>,
}

/// A game of a file on the way to its end.
struct Playing {
    number: usize,
    line: usize,
    so_far: Game,
    moves: std::vec::IntoIter<Move>,
    /// The position that comes next has been asked about.
    asked: bool,
}

impl<R: BufRead> Reader<R> {
    /// A reader of questions. Numbers of squares are read by `numbering`, except in games, which say
    /// for themselves.
    pub fn new(input: R, what: What, rules: DrawRules, numbering: Numbering) -> Reader<R> {
        let source = match what {
            What::Lines => Source::Lines(Lines::new(input)),
            What::Games => Source::Games(pdn::Reader::new(input), true),
            What::LastOfGames => Source::Games(pdn::Reader::new(input), false),
        };
        Reader {
            source,
            rules,
            numbering,
            playing: None,
        }
    }

    /// The next question, `None` at the end.
    ///
    /// # Errors
    /// Only what reading the input gives.
    pub fn next_question(&mut self) -> io::Result<Option<Question>> {
        loop {
            if let Some(playing) = &mut self.playing {
                if let Some(question) = playing.next_question() {
                    return Ok(Some(question));
                }
                self.playing = None;
            }
            match &mut self.source {
                Source::Lines(lines) => {
                    let Some(line) = lines.next_line()? else {
                        return Ok(None);
                    };
                    let text = line.trim_start_matches('\u{feff}').trim();
                    if text.is_empty() || text.starts_with('#') {
                        continue;
                    }
                    let (id, game) = read_line(text, &self.rules, self.numbering);
                    return Ok(Some(Question {
                        line: lines.number(),
                        id,
                        game,
                    }));
                }
                Source::Games(games, all) => {
                    let Some(game) = games.next_game()? else {
                        return Ok(None);
                    };
                    match Playing::new(&game, &self.rules, *all) {
                        Ok(playing) => self.playing = Some(playing),
                        Err(error) => {
                            return Ok(Some(Question {
                                line: game.line,
                                id: game.number.to_string().into(),
                                game: Err(error),
                            }));
                        }
                    }
                }
            }
        }
    }
}

impl Playing {
    /// A game from its start, or at its end only; why it cannot be played.
    fn new(game: &PdnGame, rules: &DrawRules, all: bool) -> Result<Playing, String> {
        let replay = game.replay().map_err(|error| error.to_string())?;
        let mut so_far = Game::continued(replay.start, rules.clone(), replay.half_moves);
        let mut moves = replay.moves;
        if !all {
            for mv in moves.drain(..) {
                so_far.play(mv);
            }
        }
        Ok(Playing {
            number: game.number,
            line: game.line,
            so_far,
            moves: moves.into_iter(),
            asked: false,
        })
    }

    fn next_question(&mut self) -> Option<Question> {
        if self.asked {
            self.so_far.play(self.moves.next()?);
        }
        self.asked = true;
        let ply = self.so_far.moves().len();
        Some(Question {
            line: self.line,
            id: format!("{}.{ply}", self.number).into(),
            game: Ok(self.so_far.clone()),
        })
    }
}

/// A game and what it is called, by a line.
fn read_line(text: &str, rules: &DrawRules, numbering: Numbering) -> (Value, Result<Game, String>) {
    let told = |error: PositionError| error.to_string();
    if text.starts_with('{') {
        let asked: Asked = match serde_json::from_str(text) {
            Ok(asked) => asked,
            Err(error) => return (Value::Null, Err(format!("bad JSON: {error}"))),
        };
        let moves: Vec<&str> = match &asked.moves {
            Moves::List(moves) => moves.iter().map(String::as_str).collect(),
            Moves::Words(words) => words.split_whitespace().collect(),
        };
        let game = engine::read_game(asked.fen.as_deref(), moves, rules, numbering);
        return (asked.id, game.map(|(game, _)| game).map_err(told));
    }
    let (text, id) = match text.split_once(';') {
        Some((text, id)) => (text, Value::from(id.trim())),
        None => (text, Value::Null),
    };
    let mut words = text.split_whitespace();
    let is_moves = |word: &&str| word.eq_ignore_ascii_case("moves");
    let position: Vec<&str> = words.by_ref().take_while(|word| !is_moves(word)).collect();
    let fen = match position.as_slice() {
        ["startpos"] | [] => None,
        ["fen", rest @ ..] | rest => Some(rest.join(" ")),
    };
    let game = engine::read_game(fen.as_deref(), words, rules, numbering);
    (id, game.map(|(game, _)| game).map_err(told))
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn read(text: &str, what: What) -> Vec<Question> {
        let rules = DrawRules::standard();
        let mut reader = Reader::new(text.as_bytes(), what, rules, Numbering::B8);
        let mut questions = Vec::new();
        while let Some(question) = reader.next_question().expect("text") {
            questions.push(question);
        }
        questions
    }

    #[test]
    fn lines_of_either_kind_are_read_and_faults_keep_their_place() {
        let text = "# nothing\n\nW:W21-32:B1-12 ; first\nstartpos moves c3-d4 b6-a5\n{\"id\": 7, \"moves\": \
                    [\"c3-d4\"]}\r\nfen W:Wa1:Bh8 moves a1-b2\n{\"id\": \"x\", \"fen\": \"W:Wa1:Bh8\", \
                    \"moves\": \"a1-b2\", \"more\": 1}\nnonsense\n{\"fen\": 3}\nstartpos moves a1-h8";
        let questions = read(text, What::Lines);
        let seen: Vec<(usize, Value, Option<usize>)> = questions
            .iter()
            .map(|q| {
                (
                    q.line,
                    q.id.clone(),
                    q.game.as_ref().ok().map(|g| g.moves().len()),
                )
            })
            .collect();
        let null = Value::Null;
        assert_eq!(
            seen,
            [
                (3, json!("first"), Some(0)),
                (4, null.clone(), Some(2)),
                (5, json!(7), Some(1)),
                (6, null.clone(), Some(1)),
                (7, json!("x"), Some(1)),
                (8, null.clone(), None),
                (9, null.clone(), None),
                (10, null, None),
            ]
        );
    }

    #[test]
    fn games_give_all_their_positions_or_the_last() {
        let text = "[Event \"1\"]\n1. c3-d4 b6-a5 *\n\n[Event \"2\"]\n1. c3-c4 *\n\n[Event \"3\"]\n1. g3-h4 *\n";
        let ids = |what| -> Vec<(String, bool)> {
            let questions = read(text, what).into_iter();
            questions
                .map(|q| (q.id.as_str().unwrap_or_default().to_owned(), q.game.is_ok()))
                .collect()
        };
        let told = |ids: &[(&str, bool)]| -> Vec<(String, bool)> {
            ids.iter()
                .map(|&(id, good)| (id.to_owned(), good))
                .collect()
        };
        let all = [
            ("1.0", true),
            ("1.1", true),
            ("1.2", true),
            ("2", false),
            ("3.0", true),
            ("3.1", true),
        ];
        assert_eq!(ids(What::Games), told(&all));
        let last = [("1.2", true), ("2", false), ("3.1", true)];
        assert_eq!(ids(What::LastOfGames), told(&last));
    }
}
