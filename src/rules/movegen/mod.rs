//! The move generator: which moves, how many, and is there a capture.
//!
//! Capturing is compulsory, so quiet moves exist only where there is no capture. The three questions
//! share their parts, and the tests tie their answers together.

mod bulk;
mod capture;
mod quiet;

pub(crate) use bulk::BulkCounter;

use crate::board::{Bitboard, Black, Color, Side, White};
use crate::rules::moves::MoveList;
use crate::rules::position::Position;

/// A position as its side to move `C` sees it, without the key: what the generator works on.
#[derive(Clone, Copy, Debug)]
pub(crate) struct View {
    /// Pieces of the side to move.
    pub(crate) own: Bitboard,
    /// Pieces of the other side.
    pub(crate) opp: Bitboard,
    /// Kings of both.
    pub(crate) kings: Bitboard,
}

impl View {
    #[inline(always)]
    pub(crate) fn of<C: Color>(position: &Position) -> View {
        View {
            own: position.pieces(C::SIDE),
            opp: position.pieces(C::Opponent::SIDE),
            kings: position.all_kings(),
        }
    }

    #[inline(always)]
    fn empty(&self) -> Bitboard {
        !(self.own | self.opp)
    }

    #[inline(always)]
    fn own_men(&self) -> Bitboard {
        self.own.without(self.kings)
    }

    #[inline(always)]
    fn own_kings(&self) -> Bitboard {
        self.own & self.kings
    }
}

/// Fills `list` with the legal moves, each once. The order is fixed but has no meaning.
pub fn generate(position: &Position, list: &mut MoveList) {
    match position.side() {
        Side::White => list_moves::<White>(View::of::<White>(position), list),
        Side::Black => list_moves::<Black>(View::of::<Black>(position), list),
    }
}

/// Number of legal moves, without making the list.
#[must_use]
pub fn count(position: &Position) -> u32 {
    match position.side() {
        Side::White => count_moves::<White>(View::of::<White>(position)),
        Side::Black => count_moves::<Black>(View::of::<Black>(position)),
    }
}

/// Whether the side to move must capture.
#[must_use]
#[inline]
pub fn has_capture(position: &Position) -> bool {
    match position.side() {
        Side::White => capture::exists(&View::of::<White>(position)),
        Side::Black => capture::exists(&View::of::<Black>(position)),
    }
}

/// Whether the other side could capture if it were its turn.
#[must_use]
#[inline]
pub fn is_threatened(position: &Position) -> bool {
    match position.side() {
        Side::White => capture::exists(&View::of::<Black>(position)),
        Side::Black => capture::exists(&View::of::<White>(position)),
    }
}

/// Whether the side to move has a legal move; if not, it has lost.
#[must_use]
#[inline]
pub fn has_move(position: &Position) -> bool {
    match position.side() {
        Side::White => can_move::<White>(&View::of::<White>(position)),
        Side::Black => can_move::<Black>(&View::of::<Black>(position)),
    }
}

/// What the side to move can do in the way of captures and crownings.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Noise {
    /// It must capture.
    Captures,
    /// It has quiet moves, some of which may make a king.
    Quiet,
    /// It has no move and has lost.
    Lost,
}

/// Fills `list` with the captures or, where there is none, with the quiet moves that make a king.
pub fn generate_noisy(position: &Position, list: &mut MoveList) -> Noise {
    match position.side() {
        Side::White => list_noisy::<White>(&View::of::<White>(position), list),
        Side::Black => list_noisy::<Black>(&View::of::<Black>(position), list),
    }
}

fn list_noisy<C: Color>(view: &View, list: &mut MoveList) -> Noise {
    if capture::exists(view) {
        capture::list::<C>(view, list);
        Noise::Captures
    } else if quiet::exists::<C>(view) {
        quiet::list_crownings::<C>(view, list);
        Noise::Quiet
    } else {
        Noise::Lost
    }
}

fn can_move<C: Color>(view: &View) -> bool {
    quiet::exists::<C>(view) || capture::exists(view)
}

#[inline(always)]
pub(crate) fn list_moves<C: Color>(view: View, list: &mut MoveList) {
    if capture::exists(&view) {
        capture::list::<C>(&view, list);
    } else {
        quiet::list::<C>(&view, list);
    }
}

/// Number of moves; the leaves of perft.
#[inline(always)]
pub(crate) fn count_moves<C: Color>(view: View) -> u32 {
    let slides = quiet::KingSlides::new(&view);
    let men = capture::MenCaptures::new(&view);
    if men.any() || slides.meets_victim(&view) {
        capture::count::<C>(&view)
    } else {
        quiet::count_men::<C>(&view) + slides.count()
    }
}

/// Calls `visit` with the other side's view after each legal move.
#[inline(always)]
pub(crate) fn for_each_child<C: Color>(view: View, visit: impl FnMut(View)) {
    if capture::exists(&view) {
        capture::for_each_child::<C>(&view, visit);
    } else {
        quiet::for_each_child::<C>(&view, visit);
    }
}

/// Runs a body once for each direction, with the direction as a constant.
macro_rules! for_each_direction {
    ($d:ident => $body:block) => {{
        {
            const $d: Direction = Direction::UpRight;
            $body
        }
        {
            const $d: Direction = Direction::UpLeft;
            $body
        }
        {
            const $d: Direction = Direction::DownLeft;
            $body
        }
        {
            const $d: Direction = Direction::DownRight;
            $body
        }
    }};
}
use for_each_direction;
