//! Making tables: retrograde analysis, one placement of the men at a time.
//!
//! Captures and men's moves never come back, so they lead to endings that are finished: fewer pieces,
//! more kings, or men further on. Between them only kings move, around men that stand still; and what
//! a king does it can undo, so the positions from which a position is reached are found by the same
//! slides. The distances that come out layer by layer are those to the next capture or man's move,
//! and the 15-move rule is no more than a last layer. What is won beyond it is won but for the
//! counter.

use crate::board::{Bitboard, Direction, Side};
use crate::rules::{MoveList, Position, Setup, movegen};
use crate::tb::index::Index;
use crate::tb::material::{Board, Material};
use crate::tb::solution::{Advance, Finished, Solved, look_up};
use crate::tb::value::{CAPTURE, LIMIT, UNKNOWN, Value};
use rayon::prelude::*;
use std::sync::atomic::{AtomicU8, AtomicU16, Ordering};

/// A table in the making.
struct Table {
    index: Index,
    states: Vec<AtomicU8>,
}

impl Table {
    fn new(material: Material) -> Table {
        let index = Index::new(material);
        let states = (0..index.len()).map(|_| AtomicU8::new(UNKNOWN)).collect();
        Table { index, states }
    }
}

/// One or two tables, of a material and its mirror image.
struct Generation<'a> {
    finished: &'a Finished,
    tables: Vec<Table>,
}

/// The placements of the kings around the same men, for one side to move.
struct Slice {
    /// Which table.
    table: usize,
    /// Where it begins there.
    start: usize,
    own_men: Bitboard,
    opp_men: Bitboard,
    /// Moves that do not lose yet, under the rule (low byte) and without it (high byte); [`HOLDS`] if one
    /// never will. Both go down in one step, or two threads could see each other half done.
    left: Vec<AtomicU16>,
}

const HOLDS: u8 = 255;

/// An entry of one of the slices that belong together: which, and its number there.
type Entry = (u8, u32);

/// Entries handled by one thread at least.
const GRAIN: usize = 2048;

/// Makes the tables of a material and its mirror image from those they depend on.
pub(super) fn generate(
    material: Material,
    finished: &Finished,
    advance: Advance<'_>,
) -> Vec<Solved> {
    let mut tables = vec![Table::new(material)];
    if material != material.mirrored() {
        tables.push(Table::new(material.mirrored()));
    }
    let generation = Generation { finished, tables };
    // Men further on come first.
    let men = generation.tables[0].index.men();
    let mut groups: Vec<Vec<u32>> = Vec::new();
    for number in 0..men {
        let (own, opp) = generation.tables[0].index.men_at(number);
        let steps = advancement(own, opp);
        if groups.len() <= steps {
            groups.resize_with(steps + 1, Vec::new);
        }
        groups[steps].push(number as u32);
    }
    for group in groups.iter().rev() {
        group
            .par_iter()
            .for_each(|&number| advance(generation.solve(number as usize)));
    }
    let solved = |table: Table| Solved {
        index: table.index,
        values: table.states.into_iter().map(AtomicU8::into_inner).collect(),
    };
    generation.tables.into_iter().map(solved).collect()
}

/// Steps that the men have made, all together: a man's move adds one.
fn advancement(own: Bitboard, opp: Bitboard) -> usize {
    let own: usize = own.into_iter().map(|square| square.rank()).sum();
    let opp: usize = opp.into_iter().map(|square| 7 - square.rank()).sum();
    own + opp
}

impl Slice {
    fn new(generation: &Generation<'_>, table: usize, number: usize) -> Slice {
        let index = &generation.tables[table].index;
        let (own_men, opp_men) = index.men_at(number);
        Slice {
            table,
            start: number * index.kings,
            own_men,
            opp_men,
            left: (0..index.kings).map(|_| AtomicU16::new(0)).collect(),
        }
    }

    fn board(&self, index: &Index, number: usize) -> Board {
        let (own_kings, opp_kings) = index.kings_at(number, self.own_men | self.opp_men);
        Board {
            own_men: self.own_men,
            own_kings,
            opp_men: self.opp_men,
            opp_kings,
        }
    }
}

/// What a position begins with.
struct Beginning {
    /// The value that captures and men's moves give, if they decide it.
    value: Option<Value>,
    /// King moves, if all else loses: under the rule and without it.
    left: [u8; 2],
    /// A move that no counter forbids wins where there is none.
    cursed: Option<Value>,
    /// There are captures, so there is nothing else.
    capture: bool,
}

impl Generation<'_> {
    /// Solves all placements of the kings around the men with this number, for both sides to move; how
    /// many entries that were.
    fn solve(&self, number: usize) -> u64 {
        let first = Slice::new(self, 0, number);
        let mirror = self.tables.len() - 1;
        let turned = Board {
            own_men: first.own_men,
            own_kings: Bitboard::EMPTY,
            opp_men: first.opp_men,
            opp_kings: Bitboard::EMPTY,
        }
        .mirrored();
        let mirrored_number = self.tables[mirror].index.of_men(&turned);
        let mut slices = vec![first];
        if mirror == 1 || mirrored_number != number {
            if mirror == 0 && mirrored_number < number {
                // Done together with its mirror image.
                return 0;
            }
            slices.push(Slice::new(self, mirror, mirrored_number));
        }
        let mut layers: Vec<Vec<Entry>> = vec![Vec::new(); usize::from(LIMIT) + 2];
        let mut cursed: Vec<(Entry, Value)> = Vec::new();
        for (which, slice) in slices.iter().enumerate() {
            let table = &self.tables[slice.table];
            let found: Vec<(Entry, Value)> = (0..table.index.kings)
                .into_par_iter()
                .with_min_len(GRAIN)
                .filter_map(|at| {
                    let board = slice.board(&table.index, at);
                    let beginning = self.beginning(&board);
                    slice.left[at].store(u16::from_le_bytes(beginning.left), Ordering::Relaxed);
                    let value = beginning.value.or(beginning.cursed)?;
                    if let Some(value) = beginning.value {
                        let mark = if beginning.capture { CAPTURE } else { 0 };
                        let state = &table.states[slice.start + at];
                        state.store(value.to_byte() | mark, Ordering::Relaxed);
                    }
                    Some(((which as u8, at as u32), value))
                })
                .collect();
            for (entry, value) in found {
                match value {
                    Value::Win(distance) | Value::Loss(distance) => {
                        layers[usize::from(distance)].push(entry);
                    }
                    Value::Draw => {}
                    _ => cursed.push((entry, value)),
                }
            }
        }
        let mut last = Vec::new();
        for distance in 0..=LIMIT {
            let layer = std::mem::take(&mut layers[usize::from(distance)]);
            if distance == LIMIT {
                last = layer;
                break;
            }
            let spread = self.spread(&slices, &layer, Some(distance + 1));
            for (entry, value) in spread {
                if value == Value::CursedLoss {
                    cursed.push((entry, value));
                } else {
                    layers[usize::from(distance) + 1].push(entry);
                }
            }
        }
        // What is decided beyond the counter.
        for (entry, value) in cursed {
            let slice = &slices[usize::from(entry.0)];
            let state = &self.tables[slice.table].states[slice.start + entry.1 as usize];
            let old = state.load(Ordering::Relaxed);
            if old == UNKNOWN {
                state.store(value.to_byte(), Ordering::Relaxed);
            }
            if old == UNKNOWN || old & !CAPTURE == value.to_byte() {
                last.push(entry);
            }
        }
        while !last.is_empty() {
            let spread = self.spread(&slices, &last, None);
            last = spread.into_iter().map(|(entry, _)| entry).collect();
        }
        for slice in &slices {
            let table = &self.tables[slice.table];
            for state in &table.states[slice.start..slice.start + table.index.kings] {
                let _ = state.compare_exchange(
                    UNKNOWN,
                    Value::Draw.to_byte(),
                    Ordering::Relaxed,
                    Ordering::Relaxed,
                );
            }
        }
        let entries = |slice: &Slice| self.tables[slice.table].index.kings as u64;
        slices.iter().map(entries).sum()
    }

    /// What follows from the entries of a layer for the positions before them: values at `distance`,
    /// or where the counter has run out, without one.
    fn spread(
        &self,
        slices: &[Slice],
        layer: &[Entry],
        distance: Option<u8>,
    ) -> Vec<(Entry, Value)> {
        layer
            .par_iter()
            .with_min_len(GRAIN)
            .flat_map_iter(|&(which, at)| {
                let slice = &slices[usize::from(which)];
                let table = &self.tables[slice.table];
                let byte = table.states[slice.start + at as usize].load(Ordering::Relaxed);
                let loss = Value::from_byte(byte).is_loss();
                let before = (usize::from(which) + 1) % slices.len();
                let mut found: Vec<(Entry, Value)> = Vec::new();
                let board = slice.board(&table.index, at as usize).mirrored();
                self.for_each_before(&slices[before], &board, |at| {
                    if let Some(value) = self.mark(&slices[before], at, loss, distance) {
                        found.push(((before as u8, at as u32), value));
                    }
                });
                found
            })
            .collect()
    }

    /// A move from the entry `at` leads to a position that is lost for its side to move, or won. The
    /// value of the entry if that decides it.
    fn mark(&self, slice: &Slice, at: usize, loss: bool, distance: Option<u8>) -> Option<Value> {
        let state = &self.tables[slice.table].states[slice.start + at];
        if state.load(Ordering::Relaxed) != UNKNOWN {
            return None;
        }
        let value = if loss {
            distance.map_or(Value::CursedWin, Value::Win)
        } else {
            let left = &slice.left[at];
            let [rule, no_rule] = left.load(Ordering::Relaxed).to_le_bytes();
            // Whether one of the moves holds for good does not change.
            let counts = [distance.is_some() && rule != HOLDS, no_rule != HOLDS];
            let one = u16::from_le_bytes(counts.map(u8::from));
            let [rule, no_rule] = left.fetch_sub(one, Ordering::Relaxed).to_le_bytes();
            let (by_rule, without) = (counts[0] && rule == 1, counts[1] && no_rule == 1);
            match distance {
                Some(distance) if by_rule => Value::Loss(distance),
                // All moves lose, and one of them only where no counter counts.
                _ if without => Value::CursedLoss,
                _ => return None,
            }
        };
        let set = state.compare_exchange(
            UNKNOWN,
            value.to_byte(),
            Ordering::Relaxed,
            Ordering::Relaxed,
        );
        set.is_ok().then_some(value)
    }

    /// Calls `visit` with the entries of `slice` from which a king's move leads to `board`, which is
    /// seen from the side that made it.
    fn for_each_before(&self, slice: &Slice, board: &Board, mut visit: impl FnMut(usize)) {
        let index = &self.tables[slice.table].index;
        let men = board.own_men | board.opp_men;
        let empty = !(men | board.own_kings | board.opp_kings);
        for king in board.own_kings {
            let others = board.own_kings.without(king.bitboard());
            for direction in Direction::ALL {
                for from in king.bitboard().slide(empty, direction) {
                    let before = Board {
                        own_kings: others.with(from),
                        ..*board
                    };
                    visit(index.of_kings(&before));
                }
            }
        }
    }

    /// What captures and men's moves lead to, and how many moves of kings there are.
    fn beginning(&self, board: &Board) -> Beginning {
        let position = board.position();
        let mut moves = MoveList::new();
        movegen::generate(&position, &mut moves);
        let capture = moves.first().is_some_and(|mv| mv.is_capture());
        let mut kings = 0;
        let mut irreversible = 0;
        let (mut wins, mut losses, mut any_wins, mut any_losses) = (0, 0, 0, 0);
        for &mv in &moves {
            if mv.is_reversible() {
                kings += 1;
                continue;
            }
            irreversible += 1;
            let value = self.value(&position.play(mv));
            wins += u8::from(matches!(value, Value::Loss(_)));
            losses += u8::from(matches!(value, Value::Win(_)));
            any_wins += u8::from(value.is_loss());
            any_losses += u8::from(value.is_win());
        }
        debug_assert!(!capture || kings == 0);
        let holds = |losses: u8| if losses == irreversible { kings } else { HOLDS };
        let mut beginning = Beginning {
            value: None,
            left: [holds(losses), holds(any_losses)],
            cursed: None,
            capture,
        };
        if wins > 0 {
            beginning.value = Some(Value::Win(1));
        } else if kings == 0 && losses == irreversible {
            // Without any move the game is over.
            beginning.value = Some(Value::Loss(u8::from(irreversible > 0)));
        } else if any_wins > 0 {
            beginning.cursed = Some(Value::CursedWin);
        } else if kings == 0 && any_losses == irreversible {
            beginning.cursed = Some(Value::CursedLoss);
        }
        if kings == 0 && beginning.value.is_none() {
            // Nothing else can happen any more.
            beginning.value = Some(beginning.cursed.unwrap_or(Value::Draw));
        }
        beginning
    }

    /// The value of a position that a capture or a man's move has led to.
    fn value(&self, position: &Position) -> Value {
        if let Some(value) = look_up(self.finished, position) {
            return value;
        }
        let material = Material::of(position);
        let own = self
            .tables
            .iter()
            .find(|table| table.index.material == material);
        let Some(table) = own else {
            debug_assert!(false, "{material} is not there yet");
            return Value::Draw;
        };
        let at = table.index.of(&Board::of(position));
        let byte = table.states[at].load(Ordering::Relaxed);
        debug_assert_ne!(byte, UNKNOWN, "{position:?}");
        Value::from_byte(byte)
    }
}

impl Board {
    /// The same board as the other side sees it.
    pub(super) fn mirrored(&self) -> Board {
        Board {
            own_men: self.opp_men.flip(),
            own_kings: self.opp_kings.flip(),
            opp_men: self.own_men.flip(),
            opp_kings: self.own_kings.flip(),
        }
    }

    /// The position, White to move.
    pub(super) fn position(&self) -> Position {
        Position::unchecked(Setup {
            white: self.own_men | self.own_kings,
            black: self.opp_men | self.opp_kings,
            kings: self.own_kings | self.opp_kings,
            side: Side::White,
        })
    }
}
