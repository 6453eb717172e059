//! The names of the rules by which a game is drawn.

use std::fmt;

/// Why a game is drawn.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum DrawReason {
    /// The same position with the same side to move for the third time (7.2.3).
    Repetition,
    /// Fifteen moves of each side with kings only and without a capture (7.2.5).
    FifteenMoves,
    /// Too many plies without a capture or a crowning; men's moves do not count as progress.
    NoCaptureOrCrowning,
    /// Three or more kings did not take a lone king in fifteen moves (7.2.4).
    ThreeKingsAgainstOne,
    /// Four or five pieces, both sides with kings, 30 moves without a change of forces (7.2.6).
    FourOrFivePieces,
    /// Six or seven pieces, both sides with kings, 60 moves without a change of forces (7.2.6).
    SixOrSevenPieces,
    /// More pieces, both sides with kings, 15 moves of each without progress (lidraughts).
    ManyPieces,
    /// A lone king held the main road against three pieces for five moves (7.2.7).
    MainRoad,
    /// One or two pieces did not beat a lone king in five moves (7.2.8).
    TwoAgainstOne,
    /// One king each, and no capture at hand.
    LoneKings,
}

impl fmt::Display for DrawReason {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            DrawReason::Repetition => "threefold repetition",
            DrawReason::FifteenMoves => "15 moves of each side with kings only",
            DrawReason::NoCaptureOrCrowning => "too many moves without capture or crowning",
            DrawReason::ThreeKingsAgainstOne => "three kings against one: 15 moves",
            DrawReason::FourOrFivePieces => "four or five pieces: 30 moves",
            DrawReason::SixOrSevenPieces => "six or seven pieces: 60 moves",
            DrawReason::ManyPieces => "kings on both sides: 15 moves without progress",
            DrawReason::MainRoad => "lone king on the main road: 5 moves",
            DrawReason::TwoAgainstOne => "one or two pieces against a lone king: 5 moves",
            DrawReason::LoneKings => "one king each",
        })
    }
}
