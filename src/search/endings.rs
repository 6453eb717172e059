//! What endgame tables say of the moves of the root.
//!
//! A move that keeps the result is found there, not by searching: only such moves are searched, so that a
//! won ending is won and a drawn one is not lost. Among wins those go on that come nearest to a capture
//! or a man's move, since a win that only keeps being a win is never finished; among losses those that
//! hold out longest. What the tables do not know, which move is the pleasantest, is for the search.

use crate::rules::{Game, GameEnd, Move};
use crate::score::Score;
use crate::search::Endings;
use crate::tb::{Judge, Value, Verdict};

/// The moves of a root that the tables know.
#[derive(Clone, Debug)]
pub(super) struct RootEnding {
    /// The result of best play.
    pub(super) verdict: Verdict,
    /// The moves that keep it.
    pub(super) keeping: Vec<Move>,
    /// Those of them that get on with it.
    pub(super) best: Vec<Move>,
    /// How many were looked up.
    pub(super) looked_up: u64,
}

/// Looks up the `moves` of the current position; `None` if one of them is not certain.
pub(super) fn of_root(endings: &Endings, game: &Game, moves: &[Move]) -> Option<RootEnding> {
    let position = game.position();
    let captured = moves.iter().map(|mv| mv.captured().count()).max()?;
    if position.occupied().count() > u32::from(endings.most_pieces) + captured {
        return None;
    }
    let judge = Judge::new(game.rules());
    let known: Vec<(Move, Verdict, Value)> = moves
        .iter()
        .map(|&mv| {
            let (verdict, value) = of_move(endings, &judge, game, mv)?;
            Some((mv, verdict, value))
        })
        .collect::<Option<_>>()?;
    let verdict = known
        .iter()
        .map(|&(_, verdict, _)| verdict)
        .max_by_key(|&v| rank(v))?;
    let kept = known
        .iter()
        .filter(|&&(_, other, _)| rank(other) == rank(verdict));
    let keeping: Vec<Move> = kept.clone().map(|&(mv, ..)| mv).collect();
    let best = if rank(verdict) == 0 {
        keeping.clone()
    } else {
        let most = kept.clone().map(|(.., value)| value.preference()).max();
        kept.filter(|(.., value)| Some(value.preference()) == most)
            .map(|&(mv, ..)| mv)
            .collect()
    };
    Some(RootEnding {
        verdict,
        keeping,
        best,
        looked_up: known.len() as u64,
    })
}

fn rank(verdict: Verdict) -> i32 {
    match verdict {
        Verdict::Win => 1,
        Verdict::Draw | Verdict::DrawByCounter => 0,
        Verdict::Loss => -1,
    }
}

/// The result of best play after a move, and the value of the position by it, from the view of the side
/// that makes it.
fn of_move(
    endings: &Endings,
    judge: &Judge<'_>,
    game: &Game,
    mv: Move,
) -> Option<(Verdict, Value)> {
    let mut game = game.clone();
    game.play(mv);
    let after = game.position();
    if after.occupied().count() > u32::from(endings.most_pieces) {
        return None;
    }
    let value = endings.tables.resolve(after)?;
    let by_move = value.before(mv);
    if matches!(game.end(), Some(GameEnd::Draw(_))) {
        return Some((Verdict::DrawByCounter, by_move));
    }
    let verdict = judge.verdict(value, after, game.clock(), 0)?;
    let turned = match verdict {
        Verdict::Win => Verdict::Loss,
        Verdict::Loss => Verdict::Win,
        drawn => drawn,
    };
    Some((turned, by_move))
}

impl RootEnding {
    /// The score to tell for one that a search has given: the tables know better, unless it is counted
    /// out.
    pub(super) fn score(&self, searched: Score) -> Score {
        match self.verdict {
            Verdict::Win if !searched.is_win() => Score::table_win_at(0),
            Verdict::Loss if !searched.is_loss() => Score::table_loss_at(0),
            Verdict::Draw | Verdict::DrawByCounter => Score::DRAW,
            _ => searched,
        }
    }
}
