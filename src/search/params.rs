//! The numbers of the search that may be tuned.

/// Half width of the first aspiration window, centi-men.
pub(super) const ASPIRATION: i32 = 25;
/// A window that would become wider is opened, centi-men.
pub(super) const WIDEST_ASPIRATION: i32 = 1000;
/// From this depth on, windows are used, plies.
pub(super) const ASPIRATION_DEPTH: i32 = 5;
/// A quiet position so much better than the window for each ply of depth left is not searched,
/// centi-men.
pub(super) const FUTILITY_MARGIN: i32 = 40;
/// Up to this depth, plies.
pub(super) const FUTILITY_DEPTH: i32 = 5;
/// Late moves are reduced from this depth on, plies.
pub(super) const REDUCTION_DEPTH: i32 = 3;
/// The first moves of a node are never reduced.
pub(super) const REDUCTION_MOVES: usize = 3;
/// History values stay within plus and minus this.
pub(super) const HISTORY_LIMIT: i32 = 16_384;

/// How many plies less a late quiet move is searched.
pub(super) const fn reduction(depth: i32, number: usize) -> i32 {
    let deep = (depth >= 6) as i32 + (depth >= 12) as i32;
    let late = (number >= 6) as i32 + (number >= 12) as i32;
    1 + (deep + late) / 2
}
