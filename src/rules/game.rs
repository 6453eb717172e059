//! A game: a start position, the moves played, and how it ended.

use crate::board::Side;
use crate::rules::draw::{DrawClock, DrawReason, DrawRules};
use crate::rules::movegen;
use crate::rules::moves::Move;
use crate::rules::position::Position;
use std::fmt;

/// How a finished game ended.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum GameEnd {
    /// This side has no pieces left and has lost.
    NoPieces(Side),
    /// This side is to move, has pieces, but cannot move, and has lost.
    NoMoves(Side),
    /// Drawn by a rule.
    Draw(DrawReason),
}

impl GameEnd {
    /// The winner, `None` for a draw.
    #[must_use]
    pub const fn winner(self) -> Option<Side> {
        match self {
            GameEnd::NoPieces(loser) | GameEnd::NoMoves(loser) => Some(loser.opponent()),
            GameEnd::Draw(_) => None,
        }
    }
}

impl fmt::Display for GameEnd {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            GameEnd::NoPieces(loser) => {
                write!(f, "{} wins: {loser} has no pieces", loser.opponent())
            }
            GameEnd::NoMoves(loser) => write!(f, "{} wins: {loser} has no moves", loser.opponent()),
            GameEnd::Draw(reason) => write!(f, "draw: {reason}"),
        }
    }
}

/// A game in progress or finished, under a set of draw rules.
///
/// Play may go on after a draw by rule: what to do with a drawn game is the caller's business.
#[derive(Clone, Debug)]
pub struct Game {
    rules: DrawRules,
    /// All positions from the start to the current one.
    positions: Vec<Position>,
    /// The clock at each position.
    clocks: Vec<DrawClock>,
    moves: Vec<Move>,
}

impl Game {
    /// A game that begins at `start`.
    #[must_use]
    pub fn new(start: Position, rules: DrawRules) -> Game {
        Game::continued(start, rules, 0)
    }

    /// A game that begins at `start`, `half_moves` plies after its last capture or man's move. The
    /// counters that fit the position start there; repetition starts anew.
    #[must_use]
    pub fn continued(start: Position, rules: DrawRules, half_moves: u16) -> Game {
        let clock = DrawClock::starting(&rules, &start, half_moves);
        Game {
            rules,
            positions: vec![start],
            clocks: vec![clock],
            moves: Vec::new(),
        }
    }

    /// The draw rules of this game.
    #[must_use]
    pub fn rules(&self) -> &DrawRules {
        &self.rules
    }

    /// The position before the first move.
    #[must_use]
    pub fn start(&self) -> &Position {
        &self.positions[0]
    }

    /// The current position.
    #[must_use]
    pub fn position(&self) -> &Position {
        &self.positions[self.positions.len() - 1]
    }

    /// The counters at the current position.
    #[must_use]
    pub fn clock(&self) -> &DrawClock {
        &self.clocks[self.clocks.len() - 1]
    }

    /// The counters at the start.
    #[must_use]
    pub fn start_clock(&self) -> &DrawClock {
        &self.clocks[0]
    }

    /// The moves played.
    #[must_use]
    pub fn moves(&self) -> &[Move] {
        &self.moves
    }

    /// All positions, the start first and the current one last.
    #[must_use]
    pub fn positions(&self) -> &[Position] {
        &self.positions
    }

    /// Plays a move if it is legal; otherwise changes nothing and returns false.
    pub fn play(&mut self, mv: Move) -> bool {
        let before = *self.position();
        if !before.legal_moves().contains(&mv) {
            return false;
        }
        let after = before.play(mv);
        let clock = self.clock().after(&self.rules, &before, mv, &after);
        self.positions.push(after);
        self.clocks.push(clock);
        self.moves.push(mv);
        true
    }

    /// Takes the last move back and returns it.
    pub fn undo(&mut self) -> Option<Move> {
        let mv = self.moves.pop()?;
        self.positions.pop();
        self.clocks.pop();
        Some(mv)
    }

    /// How often the current position has occurred, itself included, with the same side to move.
    #[must_use]
    pub fn occurrences(&self) -> usize {
        let current = self.position();
        let back = usize::from(self.clock().reversible());
        let first = self.positions.len() - 1 - back;
        self.positions[first..]
            .iter()
            .filter(|position| *position == current)
            .count()
    }

    /// How the game has ended, `None` while it goes on.
    ///
    /// A lost position is looked for before any counter, so that a win on the last allowed move is a
    /// win. Draws are tested only after a move has been played.
    #[must_use]
    pub fn end(&self) -> Option<GameEnd> {
        let position = self.position();
        if let Some(lost) = lost(position) {
            return Some(lost);
        }
        if self.moves.is_empty() {
            return None;
        }
        if self.rules.has_repetition() && self.occurrences() >= 3 {
            return Some(GameEnd::Draw(DrawReason::Repetition));
        }
        self.clock()
            .reached(&self.rules, position)
            .map(GameEnd::Draw)
    }
}

/// The loss of the side to move, if it has no pieces or no moves.
#[must_use]
pub fn lost(position: &Position) -> Option<GameEnd> {
    let side = position.side();
    if position.pieces(side).is_empty() {
        Some(GameEnd::NoPieces(side))
    } else if !movegen::has_move(position) {
        Some(GameEnd::NoMoves(side))
    } else {
        None
    }
}
