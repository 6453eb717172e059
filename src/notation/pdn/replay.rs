//! Playing a game text under the rules.

use crate::notation::error::{FenError, MoveError};
use crate::notation::fen;
use crate::notation::movetext;
use crate::notation::pdn::game::{Item, PdnGame};
use crate::rules::{Move, Position};

/// A game that was played to its end.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Replay {
    /// The position before the first move.
    pub start: Position,
    /// Plies since the last capture or man's move at the start.
    pub half_moves: u16,
    /// The moves of the main line.
    pub moves: Vec<Move>,
    /// The position after the last move.
    pub end: Position,
}

/// Why a game cannot be played.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("game {game}, line {line}, ply {ply}: {fault}")]
pub struct ReplayError {
    /// Number of the game in its file, from 1.
    pub game: usize,
    /// Line of the file, from 1.
    pub line: usize,
    /// Ply of the faulty move, from 1; 0 for the start position.
    pub ply: usize,
    /// What is wrong.
    pub fault: ReplayFault,
}

/// What is wrong with a game.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum ReplayFault {
    /// The FEN tag cannot be read.
    #[error("FEN tag: {0}")]
    Start(#[from] FenError),
    /// A move cannot be read or is not legal.
    #[error(transparent)]
    Move(#[from] MoveError),
    /// The position is set anew between the moves.
    #[error("the position is set anew in the middle of the game")]
    SetPosition,
}

impl PdnGame {
    /// Plays the main line.
    ///
    /// # Errors
    /// The first fault, with game, line and ply.
    pub fn replay(&self) -> Result<Replay, ReplayError> {
        let at = |line, ply, fault| ReplayError {
            game: self.number,
            line,
            ply,
            fault,
        };
        let numbering = self.numbering();
        let (start, half_moves) = match self.tag("FEN").filter(|text| !text.is_empty()) {
            None => (Position::start(), 0),
            Some(text) => match fen::read(text, numbering) {
                Ok(fen) => (fen.position, fen.half_moves),
                Err(error) => return Err(at(self.line, 0, error.into())),
            },
        };
        let mut position = start;
        let mut moves = Vec::new();
        for item in &self.items {
            let ply = moves.len() + 1;
            match item {
                Item::Move { text, line } => {
                    let mv = movetext::read(&position, text, numbering)
                        .map_err(|error| at(*line, ply, error.into()))?;
                    position = position.play(mv);
                    moves.push(mv);
                }
                Item::SetPosition(_) => {
                    return Err(at(self.line, ply, ReplayFault::SetPosition));
                }
                Item::Comment(_) | Item::Nag(_) | Item::Variation(_) => {}
            }
        }
        Ok(Replay {
            start,
            half_moves,
            moves,
            end: position,
        })
    }
}
