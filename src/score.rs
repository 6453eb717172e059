//! Scores, and which of them are proven.
//!
//! Three bands that never meet: evaluations, wins read from endgame tables, and wins counted out to
//! the end. Nobody compares a score with a bare constant.

use std::fmt;
use std::ops::{Add, Neg, Sub};

/// Distance from the root of a search, in plies.
pub type Ply = u32;

/// A line is never followed farther than this, in plies.
pub const MAX_PLY: Ply = 200;

/// A judgement of a position in centi-men (100 is a man), from the view of the side to move.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default)]
pub struct Score(i32);

/// A win at the root itself; a win in n plies is n less.
const WIN: i32 = 30_000;
/// Least score of a win that is counted out.
const LEAST_WIN: i32 = WIN - 2_000;
/// A win at the root by an endgame table; one in a table n plies on is n less.
const TABLE_WIN: i32 = 20_000;
/// Least score of a win by a table.
const LEAST_TABLE_WIN: i32 = TABLE_WIN - 2_000;
/// Greatest score of an evaluation, 79.99 men: Hub clients read 80 and more as won.
const GREATEST_EVALUATION: i32 = 7_999;

impl Score {
    /// Nobody is better, or the game is drawn.
    pub const DRAW: Score = Score(0);
    /// Above every score.
    pub const INFINITY: Score = Score(32_000);

    /// An evaluation, held inside its band.
    #[must_use]
    pub const fn evaluation(centi_men: i32) -> Score {
        if centi_men > GREATEST_EVALUATION {
            Score(GREATEST_EVALUATION)
        } else if centi_men < -GREATEST_EVALUATION {
            Score(-GREATEST_EVALUATION)
        } else {
            Score(centi_men)
        }
    }

    /// The side to move wins at the given ply.
    #[must_use]
    pub const fn win_at(ply: Ply) -> Score {
        Score(WIN - ply as i32)
    }

    /// The side to move has lost, or will have, at the given ply.
    #[must_use]
    pub const fn loss_at(ply: Ply) -> Score {
        Score(ply as i32 - WIN)
    }

    /// An endgame table says that the side to move wins, at the given ply.
    #[must_use]
    pub const fn table_win_at(ply: Ply) -> Score {
        Score(TABLE_WIN - ply as i32)
    }

    /// An endgame table says that the side to move loses, at the given ply.
    #[must_use]
    pub const fn table_loss_at(ply: Ply) -> Score {
        Score(ply as i32 - TABLE_WIN)
    }

    /// The bare number; for tables, protocols and displays.
    #[must_use]
    pub const fn raw(self) -> i32 {
        self.0
    }

    /// The score of a bare number, as [`raw`](Self::raw) gives it.
    #[must_use]
    pub const fn from_raw(raw: i32) -> Score {
        Score(raw)
    }

    /// Whether this is a win or a loss counted out to the end of the game.
    #[must_use]
    pub const fn is_decided(self) -> bool {
        self.0.abs() >= LEAST_WIN
    }

    /// Whether this is a win or a loss, counted out or by a table.
    #[must_use]
    pub const fn is_proven(self) -> bool {
        self.0.abs() >= LEAST_TABLE_WIN
    }

    /// Whether this is a loss, counted out or by a table.
    #[must_use]
    pub const fn is_proven_loss(self) -> bool {
        self.0 <= -LEAST_TABLE_WIN
    }

    /// Whether this is a win counted out.
    #[must_use]
    pub const fn is_win(self) -> bool {
        self.0 >= LEAST_WIN
    }

    /// Whether this is a loss counted out.
    #[must_use]
    pub const fn is_loss(self) -> bool {
        self.0 <= -LEAST_WIN
    }

    /// Plies to the end of a decided game, `None` for other scores.
    #[must_use]
    pub const fn plies_to_end(self) -> Option<u32> {
        if self.is_decided() {
            Some((WIN - self.0.abs()) as u32)
        } else {
            None
        }
    }

    /// Plies to the position that an endgame table says is won; 0 for other scores.
    #[must_use]
    pub const fn plies_to_table_win(self) -> u32 {
        if self.is_proven() && !self.is_decided() {
            (TABLE_WIN - self.0.abs()) as u32
        } else {
            0
        }
    }

    /// The score as stored in a table by a node at `ply`: distances count from that node.
    #[must_use]
    pub const fn to_table(self, ply: Ply) -> i16 {
        let raw = if !self.is_proven() {
            self.0
        } else if self.0 > 0 {
            self.0 + ply as i32
        } else {
            self.0 - ply as i32
        };
        raw as i16
    }

    /// The score of a table entry for a node at `ply`: distances count from the root again.
    #[must_use]
    pub const fn from_table(stored: i16, ply: Ply) -> Score {
        let score = Score(stored as i32);
        if !score.is_proven() {
            score
        } else if score.0 > 0 {
            Score(score.0 - ply as i32)
        } else {
            Score(score.0 + ply as i32)
        }
    }
}

impl Neg for Score {
    type Output = Score;

    fn neg(self) -> Score {
        Score(-self.0)
    }
}

/// Widens or moves a window.
impl Add<i32> for Score {
    type Output = Score;

    fn add(self, margin: i32) -> Score {
        Score((self.0 + margin).clamp(-Score::INFINITY.0, Score::INFINITY.0))
    }
}

/// Widens or moves a window.
impl Sub<i32> for Score {
    type Output = Score;

    fn sub(self, margin: i32) -> Score {
        self + -margin
    }
}

/// `+0.37`, `win in 5` and `loss in 8` plies, `win by tables`.
impl fmt::Display for Score {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.plies_to_end() {
            Some(plies) if self.is_win() => write!(f, "win in {plies}"),
            Some(plies) => write!(f, "loss in {plies}"),
            None if self.is_proven_loss() => f.write_str("loss by tables"),
            None if self.is_proven() => f.write_str("win by tables"),
            None => write!(f, "{:+.2}", f64::from(self.0) / 100.0),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_bands_do_not_meet() {
        assert!(!Score::evaluation(1_000_000).is_decided());
        assert!(!Score::evaluation(-1_000_000).is_decided());
        assert!(!Score::evaluation(1_000_000).is_proven());
        assert!(Score::win_at(MAX_PLY).is_win() && Score::loss_at(MAX_PLY).is_loss());
        let (win, loss) = (Score::table_win_at(MAX_PLY), Score::table_loss_at(MAX_PLY));
        assert!(win.is_proven() && loss.is_proven_loss() && !win.is_decided());
        assert!(Score::table_win_at(0) < Score::win_at(2 * MAX_PLY));
        assert!(Score::win_at(0) < Score::INFINITY);
    }

    #[test]
    fn table_scores_count_from_their_node() {
        for score in [
            Score::win_at(9),
            Score::loss_at(12),
            Score::table_win_at(7),
            Score::table_loss_at(6),
            Score::evaluation(-37),
            Score::DRAW,
        ] {
            assert_eq!(Score::from_table(score.to_table(5), 5), score);
        }
        // A win five plies below a node at ply 4, met again at ply 2.
        let stored = Score::win_at(9).to_table(4);
        assert_eq!(Score::from_table(stored, 2), Score::win_at(7));
    }
}
