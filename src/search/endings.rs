//! What endgame tables say of the moves of the root.
//!
//! A move that keeps the result is found there, not by searching: moves are searched in tiers, and only the
//! first tier is played from, so that a won ending is won and a drawn one is not lost. Among wins those
//! come first that are nearest to a capture or a man's move, since a win that only keeps being a win is
//! never finished; among losses those that hold out longest. What the tables do not know, which move of a
//! tier is the pleasantest, is for the search.

use crate::rules::{Game, Move};
use crate::score::Score;
use crate::search::Endings;
use crate::tb::{Judge, Value, Verdict};

/// A move of the root that the tables know.
#[derive(Clone, Copy, Debug)]
struct Known {
    mv: Move,
    verdict: Verdict,
    /// The value of the root by this move.
    value: Value,
    tier: i32,
}

/// The moves of a root that the tables know.
#[derive(Clone, Debug)]
pub(super) struct RootEnding {
    known: Vec<Known>,
    /// All wins are in one tier, because one of them seems to be near at hand.
    pub(super) near: bool,
}

/// The tier of all wins where they are not told apart, and of all draws.
const WINS: i32 = 1_000;
const DRAWS: i32 = 0;

/// Looks up the `moves` of the current position; `None` if one of them is not certain.
pub(super) fn of_root(endings: &Endings, game: &Game, moves: &[Move]) -> Option<RootEnding> {
    let captured = moves.iter().map(|mv| mv.captured().count()).max()?;
    let pieces = game.position().occupied().count();
    if pieces > u32::from(endings.most_pieces) + captured {
        return None;
    }
    let judge = Judge::new(game.rules());
    let look_up = |&mv: &Move| {
        let left = pieces - mv.captured().count();
        if left > u32::from(endings.most_pieces) {
            return None;
        }
        let (verdict, value) = endings.tables.by_move(&judge, game, mv)?;
        let tier = match verdict {
            Verdict::Win if judge.is_by_distance() => value.preference().into(),
            Verdict::Win => WINS,
            Verdict::Draw | Verdict::DrawByCounter => DRAWS,
            Verdict::Loss => value.preference().into(),
        };
        Some(Known {
            mv,
            verdict,
            value,
            tier,
        })
    };
    let known = moves.iter().map(look_up).collect::<Option<_>>()?;
    Some(RootEnding { known, near: false })
}

impl RootEnding {
    fn of(&self, mv: Move) -> Option<&Known> {
        self.known.iter().find(|known| known.mv == mv)
    }

    /// The tier of a move; the greatest is the best.
    pub(super) fn tier(&self, mv: Move) -> i32 {
        match self.of(mv) {
            Some(known) if self.near && known.verdict == Verdict::Win => WINS,
            Some(known) => known.tier,
            None => i32::MIN,
        }
    }

    /// The moves that win.
    pub(super) fn wins(&self) -> Vec<Move> {
        let wins = self
            .known
            .iter()
            .filter(|known| known.verdict == Verdict::Win);
        wins.map(|known| known.mv).collect()
    }

    /// Whether some wins are nearer than others.
    pub(super) fn has_choice(&self) -> bool {
        let mut tiers = self
            .known
            .iter()
            .filter(|known| known.verdict == Verdict::Win)
            .map(|known| known.tier);
        let first = tiers.next();
        tiers.any(|tier| Some(tier) != first)
    }

    /// The win that is nearest to a capture or man's move.
    pub(super) fn surest(&self) -> Option<Move> {
        let wins = self
            .known
            .iter()
            .filter(|known| known.verdict == Verdict::Win);
        let surest = wins.max_by_key(|known| known.value.preference());
        surest.map(|known| known.mv)
    }

    /// How many moves were looked up.
    pub(super) fn looked_up(&self) -> u64 {
        self.known.len() as u64
    }

    /// The score to tell for a move when a search has given another: the tables know better, unless it is
    /// counted out.
    pub(super) fn score(&self, mv: Option<Move>, searched: Score) -> Score {
        let known = mv.and_then(|mv| self.of(mv));
        match known.map(|known| known.verdict) {
            Some(Verdict::Win) if !searched.is_win() => Score::table_win_at(0),
            Some(Verdict::Loss) if !searched.is_loss() => Score::table_loss_at(0),
            Some(Verdict::Draw | Verdict::DrawByCounter) => Score::DRAW,
            _ => searched,
        }
    }
}
