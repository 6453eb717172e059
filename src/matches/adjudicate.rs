//! Ending games early, by what the engines themselves say or endgame tables know. All of it is off unless
//! asked for.

use crate::board::Side;
use crate::rules::Game;
use crate::score::Score;
use crate::tb::{Judge, Tables, Verdict};
use std::fmt;
use std::path::PathBuf;
use std::sync::Arc;

/// A draw once both engines see nothing in the position for a while.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct DrawByScore {
    /// Not before this move of the game, from 1.
    pub from_move: u32,
    /// For so many moves of each side in a row.
    pub moves: u32,
    /// Neither score is farther from zero than this, centi-men.
    pub score: i32,
}

/// A loss for an engine that thinks itself lost for a while.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Resignation {
    /// For so many of its moves in a row.
    pub moves: u32,
    /// Its score is no better than minus this, centi-men.
    pub score: i32,
    /// Its opponent must agree as often.
    pub two_sided: bool,
}

/// The result that endgame tables know, under the draw rules and counters of the game.
#[derive(Clone)]
pub struct ByTables {
    /// The tables.
    pub tables: Arc<Tables>,
    /// The folders they are from, beside those built in.
    pub folders: Vec<PathBuf>,
}

/// As a state file remembers it.
impl fmt::Debug for ByTables {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let pieces = self.tables.most_pieces();
        write!(f, "{:?} up to {pieces} pieces", self.folders)
    }
}

/// What is adjudicated.
#[derive(Clone, Debug, Default)]
pub struct Adjudication {
    /// Results by endgame tables.
    pub tables: Option<ByTables>,
    /// Draws.
    pub draw: Option<DrawByScore>,
    /// Resignations.
    pub resign: Option<Resignation>,
    /// A draw after so many moves of each side behind the opening.
    pub max_moves: Option<u32>,
}

/// How a game is ended: the winner, and why.
pub(super) type Ruling = (Option<Side>, &'static str);

/// Follows one game.
pub(super) trait Tracker {
    /// A move has been made by `side`; `ply` counts those of the game, this one included. The score
    /// is what the mover said, from its own view; the game stands as the move has left it.
    fn update(&mut self, side: Side, ply: u32, score: Option<Score>, game: &Game)
    -> Option<Ruling>;
}

impl Adjudication {
    pub(super) fn trackers(&self) -> Vec<Box<dyn Tracker>> {
        let mut trackers: Vec<Box<dyn Tracker>> = Vec::new();
        if let Some(ByTables { tables, .. }) = self.tables.clone() {
            trackers.push(Box::new(Known { tables }));
        }
        // A decided game is given up before it is called too long.
        if let Some(rule) = self.resign {
            trackers.push(Box::new(Resigning {
                rule,
                losing: [0; 2],
                winning: [0; 2],
            }));
        }
        if let Some(rule) = self.draw {
            trackers.push(Box::new(Drawing { rule, quiet: 0 }));
        }
        if let Some(moves) = self.max_moves {
            trackers.push(Box::new(Length { moves, played: 0 }));
        }
        trackers
    }
}

struct Known {
    tables: Arc<Tables>,
}

impl Tracker for Known {
    fn update(&mut self, _: Side, _: u32, _: Option<Score>, game: &Game) -> Option<Ruling> {
        let position = game.position();
        let value = self.tables.probe(position)?;
        // A position that has occurred twice already may be about to end the game.
        if game.occurrences() > 1 {
            return None;
        }
        let side = position.side();
        let winner = match Judge::new(game.rules()).verdict(value, position, game.clock(), 0)? {
            Verdict::Win => Some(side),
            Verdict::Loss => Some(side.opponent()),
            Verdict::Draw | Verdict::DrawByCounter => None,
        };
        Some((winner, "endgame tables"))
    }
}

struct Drawing {
    rule: DrawByScore,
    /// Plies in a row with a score near zero.
    quiet: u32,
}

impl Tracker for Drawing {
    fn update(&mut self, _: Side, ply: u32, score: Option<Score>, _: &Game) -> Option<Ruling> {
        let near = score.is_some_and(|score| score.raw().abs() <= self.rule.score);
        self.quiet = if near { self.quiet + 1 } else { 0 };
        let late = ply.div_ceil(2) >= self.rule.from_move;
        (late && self.quiet >= 2 * self.rule.moves).then_some((None, "draw by score"))
    }
}

struct Resigning {
    rule: Resignation,
    losing: [u32; 2],
    winning: [u32; 2],
}

impl Tracker for Resigning {
    fn update(&mut self, side: Side, _: u32, score: Option<Score>, _: &Game) -> Option<Ruling> {
        let raw = score.map(Score::raw);
        let Resigning {
            rule,
            losing: [white_loses, black_loses],
            winning: [white_wins, black_wins],
        } = self;
        let (losing, winning, agreed) = match side {
            Side::White => (white_loses, white_wins, black_wins),
            Side::Black => (black_loses, black_wins, white_wins),
        };
        *losing = if raw.is_some_and(|raw| raw <= -rule.score) {
            *losing + 1
        } else {
            0
        };
        *winning = if raw.is_some_and(|raw| raw >= rule.score) {
            *winning + 1
        } else {
            0
        };
        let agreed = !rule.two_sided || *agreed >= rule.moves;
        (*losing >= rule.moves && agreed).then_some((Some(side.opponent()), "resignation by score"))
    }
}

struct Length {
    moves: u32,
    played: u32,
}

impl Tracker for Length {
    fn update(&mut self, _: Side, _: u32, _: Option<Score>, _: &Game) -> Option<Ruling> {
        self.played += 1;
        (self.played >= 2 * self.moves).then_some((None, "maximum length"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::notation::{Numbering, fen};
    use crate::rules::{DrawRules, Position};

    fn play(adjudication: Adjudication, scores: &[Option<i32>]) -> Option<(u32, Ruling)> {
        let game = Game::new(Position::start(), DrawRules::standard());
        let mut trackers = adjudication.trackers();
        let mut side = Side::White;
        for (ply, score) in (1..).zip(scores) {
            for tracker in &mut trackers {
                if let Some(verdict) =
                    tracker.update(side, ply, score.map(Score::evaluation), &game)
                {
                    return Some((ply, verdict));
                }
            }
            side = side.opponent();
        }
        None
    }

    #[test]
    fn draws_need_both_sides_and_time() {
        let rule = |from_move| Adjudication {
            draw: Some(DrawByScore {
                from_move,
                moves: 2,
                score: 10,
            }),
            ..Adjudication::default()
        };
        let quiet = [Some(0); 20];
        assert_eq!(play(rule(1), &quiet).map(|(ply, _)| ply), Some(4));
        assert_eq!(play(rule(6), &quiet).map(|(ply, _)| ply), Some(11));
        assert_eq!(play(rule(1), &[Some(0), Some(11)].repeat(9)), None);
        assert_eq!(play(rule(1), &[Some(0), None].repeat(9)), None);
        let broken = [
            Some(0),
            Some(-10),
            Some(10),
            Some(-11),
            Some(0),
            Some(0),
            Some(0),
        ];
        assert_eq!(play(rule(1), &broken), None);
    }

    #[test]
    fn resignation_is_by_the_loser() {
        let rule = |two_sided| Adjudication {
            resign: Some(Resignation {
                moves: 2,
                score: 300,
                two_sided,
            }),
            ..Adjudication::default()
        };
        let black_loses = [Some(0), Some(-300), Some(0), Some(-400)];
        let expected = (4, (Some(Side::White), "resignation by score"));
        assert_eq!(play(rule(false), &black_loses), Some(expected));
        assert_eq!(play(rule(true), &black_loses), None);
        let agreed = [Some(300), Some(-300), Some(500), Some(-400)];
        assert_eq!(play(rule(true), &agreed), Some(expected));
        assert_eq!(
            play(rule(false), &[Some(-300), Some(0), Some(-299), Some(0)]),
            None
        );
    }

    #[test]
    fn length_counts_moves_of_each_side() {
        let adjudication = Adjudication {
            max_moves: Some(3),
            ..Adjudication::default()
        };
        assert_eq!(play(adjudication, &[None; 9]).map(|(ply, _)| ply), Some(6));
    }

    #[test]
    fn tables_know_the_counter_and_the_winner() {
        let mut tracker = Known {
            tables: Arc::new(Tables::built_in(1)),
        };
        let mut rule = |fen: &str, half_moves| {
            let start = fen::read(fen, Numbering::B8).expect("a position").position;
            let game = Game::continued(start, DrawRules::standard(), half_moves);
            tracker.update(start.side().opponent(), 1, None, &game)
        };
        // Won in 22 plies.
        let (white, black) = ("W:WKd8,Ke7,Ka5:BKf8", "B:BKd8,Ke7,Ka5:WKf8");
        assert_eq!(rule(white, 8), Some((Some(Side::White), "endgame tables")));
        assert_eq!(rule(black, 8), Some((Some(Side::Black), "endgame tables")));
        assert_eq!(rule(white, 9), Some((None, "endgame tables")));
        assert_eq!(rule("B:WKa1:BKb8", 0), Some((None, "endgame tables")));
        // A capture is pending, or there are too many pieces.
        assert_eq!(rule("W:WKa1:Be5", 0), None);
        assert_eq!(rule("W:Wa1,c1,e1,g1:Bb8,d8,f8,h8", 0), None);
    }
}
