//! Endgame tables: against published counts, and against a solver that shares nothing with them.

use crate::support::{Random, position, positions_lines, squares};
use shashki::board::{Side, Square};
use shashki::notation::{Spelling, movetext};
use shashki::rules::{DrawClock, DrawRules, Move, Position, Setup};
use shashki::tb::{LIMIT, Material, Solution, Tables, Value};
use std::collections::HashMap;
use std::hash::{BuildHasherDefault, Hasher};
use std::path::PathBuf;
use std::sync::OnceLock;

/// Up to four pieces, made once.
fn tables() -> &'static Solution {
    static TABLES: OnceLock<Solution> = OnceLock::new();
    TABLES.get_or_init(|| Solution::of_all(4))
}

/// All positions of a material with the side to move White.
fn placements(material: Material) -> Vec<Position> {
    let kinds = [
        (material.own_men, Side::White, false),
        (material.own_kings, Side::White, true),
        (material.opp_men, Side::Black, false),
        (material.opp_kings, Side::Black, true),
    ];
    let mut setups = vec![Setup::empty(Side::White)];
    for (count, side, king) in kinds {
        for _ in 0..count {
            let mut more = Vec::new();
            for setup in &setups {
                let same = if king {
                    setup.pieces(side) & setup.kings
                } else {
                    setup.pieces(side).without(setup.kings)
                };
                let all = setup.white | setup.black;
                let last = Square::ALL
                    .iter()
                    .rposition(|&square| same.contains(square));
                for &square in &Square::ALL[last.map_or(0, |last| last + 1)..] {
                    if all.contains(square) {
                        continue;
                    }
                    let mut next = *setup;
                    *next.pieces_mut(side) = next.pieces(side).with(square);
                    if king {
                        next.kings = next.kings.with(square);
                    }
                    more.push(next);
                }
            }
            setups = more;
        }
    }
    setups
        .into_iter()
        .filter_map(|setup| setup.validate().ok())
        .collect()
}

/// The value of a position where a capture may be pending: captures played out.
fn resolved(tables: &Solution, position: &Position) -> Value {
    if position.pieces(position.side()).is_empty() {
        return Value::Loss(0);
    }
    if let Some(value) = tables.probe(position) {
        return value;
    }
    let mut best = Value::Loss(1);
    for mv in position.legal_moves() {
        assert!(mv.is_capture());
        match (resolved(tables, &position.play(mv)), best) {
            (Value::Loss(_), _) => return Value::Win(1),
            (Value::CursedLoss, _) => best = Value::CursedWin,
            (Value::Draw, Value::Loss(_) | Value::CursedLoss) => best = Value::Draw,
            (Value::CursedWin, Value::Loss(_)) => best = Value::CursedLoss,
            _ => {}
        }
    }
    best
}

#[test]
fn counts_without_counters_are_the_published_ones() {
    for line in positions_lines("endings/counts.tsv") {
        let fields: Vec<&str> = line.split('\t').collect();
        let number = |at: usize| fields[at].parse::<i64>().expect("a number");
        if number(4) > 4 {
            continue;
        }
        let material = Material {
            own_men: number(0) as u8,
            own_kings: number(1) as u8,
            opp_men: number(2) as u8,
            opp_kings: number(3) as u8,
        };
        let mut counts = [0; 3];
        let all = placements(material);
        for position in &all {
            match resolved(tables(), position) {
                Value::Win(_) | Value::CursedWin => counts[0] += 1,
                Value::Loss(_) | Value::CursedLoss => counts[1] += 1,
                Value::Draw => counts[2] += 1,
            }
        }
        assert_eq!(all.len() as i64, number(5), "{material}");
        assert_eq!(counts, [number(6), number(7), number(8)], "{material}");
    }
}

/// Exhaustive solution over (position, counter), by nothing but the rules.
///
/// Quiet moves of kings lead to the next count and everything else to count zero of another ending, so
/// each question leads to questions that come to an end.
struct Solver {
    rules: DrawRules,
    /// Two bits for each count from 0 on: 0 where it is not known yet.
    known: HashMap<Position, u64, BuildHasherDefault<KeyHasher>>,
}

/// Positions have good keys of their own.
#[derive(Default)]
struct KeyHasher(u64);

impl Hasher for KeyHasher {
    fn finish(&self) -> u64 {
        self.0
    }

    fn write(&mut self, bytes: &[u8]) {
        for &byte in bytes {
            self.0 = (self.0 ^ u64::from(byte))
                .wrapping_mul(0x9E37_79B9_7F4A_7C15)
                .rotate_left(23);
        }
    }

    fn write_u64(&mut self, word: u64) {
        self.0 = (self.0 ^ word)
            .wrapping_mul(0x9E37_79B9_7F4A_7C15)
            .rotate_left(23);
    }

    fn write_u32(&mut self, word: u32) {
        self.write_u64(word.into());
    }
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Answer {
    Win = 1,
    Loss = 2,
    Draw = 3,
}

impl Solver {
    fn new() -> Solver {
        Solver {
            rules: DrawRules::standard(),
            known: HashMap::default(),
        }
    }

    /// The answer to a position that a game has come to by `count` quiet moves of kings.
    fn solve(&mut self, position: &Position, count: u16) -> Answer {
        // Seen from White, so that both colours share their answers.
        let position = match position.side() {
            Side::White => *position,
            Side::Black => position.color_flipped(),
        };
        let known = self.known.get(&position).copied().unwrap_or(0);
        match known >> (2 * count) & 3 {
            0 => {}
            1 => return Answer::Win,
            2 => return Answer::Loss,
            _ => return Answer::Draw,
        }
        let moves = position.legal_moves();
        let clock = DrawClock::starting(&self.rules, &position, count);
        let answer = if moves.is_empty() {
            Answer::Loss
        } else if clock.reached(&self.rules, &position).is_some() {
            Answer::Draw
        } else {
            let mut best = Answer::Loss;
            for mv in moves {
                let king = !mv.is_capture() && position.all_kings().contains(mv.from());
                match self.solve(&position.play(mv), if king { count + 1 } else { 0 }) {
                    Answer::Loss => {
                        best = Answer::Win;
                        break;
                    }
                    Answer::Draw => best = Answer::Draw,
                    Answer::Win => {}
                }
            }
            best
        };
        *self.known.entry(position).or_insert(0) |= (answer as u64) << (2 * count);
        answer
    }

    /// The table must say the same at all counts.
    fn check(&mut self, position: &Position) {
        let Some(value) = tables().probe(position) else {
            return;
        };
        for count in 0..u16::from(LIMIT) {
            let told = match value.at_count(count) {
                Value::Win(_) => Answer::Win,
                Value::Loss(_) => Answer::Loss,
                _ => Answer::Draw,
            };
            let right = self.solve(position, count);
            assert_eq!(right, told, "{position:?} at {count}: {value:?}");
        }
    }
}

/// Each material, either side to move.
fn materials(pieces: u8) -> impl Iterator<Item = Material> {
    let both = |material: Material| {
        let mirrored = material.mirrored();
        std::iter::once(material).chain((mirrored != material).then_some(mirrored))
    };
    Material::all(pieces).into_iter().flat_map(both)
}

/// Lines of hundreds of plies are followed, one call a ply.
fn with_stack(work: impl FnOnce() + Send + 'static) {
    let thread = std::thread::Builder::new().stack_size(1 << 30).spawn(work);
    thread.expect("a thread").join().expect("no panic");
}

#[test]
fn a_solver_that_counts_agrees_on_all_of_two_and_three_pieces() {
    with_stack(|| {
        let mut solver = Solver::new();
        for material in (2..=3).flat_map(materials) {
            for position in placements(material) {
                solver.check(&position);
            }
        }
    });
}

/// Takes some minutes and 2 GB; CONTRIBUTING has the command.
#[test]
#[ignore = "takes minutes"]
fn a_solver_that_counts_agrees_on_20_000_positions_of_four_pieces() {
    with_stack(|| {
        let mut solver = Solver::new();
        let mut random = Random::new(40);
        let all: Vec<Position> = materials(4).flat_map(placements).collect();
        for _ in 0..20_000 {
            solver.check(&all[random.below(all.len())]);
        }
    });
}

#[test]
fn three_kings_catch_one_that_does_not_hold_the_main_road() {
    let road = squares(["a1", "b2", "c3", "d4", "e5", "f6", "g7", "h8"]);
    let material = Material {
        own_men: 0,
        own_kings: 3,
        opp_men: 0,
        opp_kings: 1,
    };
    let mut on = [0; 2];
    let mut off = [0; 2];
    let mut longest_on = 0;
    for position in placements(material) {
        let lone = position.pieces(Side::Black);
        let holds = (position.occupied() & road) == lone;
        let value = resolved(tables(), &position);
        let counts = if holds { &mut on } else { &mut off };
        counts[0] += 1;
        if let Value::Win(distance) = value {
            counts[1] += 1;
            if holds {
                longest_on = longest_on.max(distance);
            }
        }
    }
    // Positions, and how many of them are won.
    assert_eq!((on, off), ([16_192, 5_488], [127_648, 126_752]));
    assert!(longest_on <= 9);
}

/// `positions/endings/results.txt`, and the moves that keep each result. Of five and six pieces only with the
/// tables in the folder that SHASHKI_TABLES names.
#[test]
fn endings_and_studies_have_their_result_and_only_these_moves_keep_it() {
    let folder = std::env::var_os("SHASHKI_TABLES").map(PathBuf::from);
    let tables = Tables::open(folder.as_slice(), 64);
    assert!(tables.take_complaints().is_empty());
    let without_counter = |value: Value| match value {
        Value::Win(_) | Value::CursedWin => "win",
        Value::Loss(_) | Value::CursedLoss => "loss",
        Value::Draw => "draw",
    };
    let mut seen = 0;
    for line in positions_lines("endings/results.txt") {
        let fields: Vec<&str> = line.split(" | ").collect();
        let position = position(fields[0]);
        let Some(moves) = tables.by_moves(&position) else {
            assert!(
                position.occupied().count() > u32::from(tables.most_pieces()),
                "{line}"
            );
            continue;
        };
        let value = tables.resolve(&position).expect("its moves are known");
        assert_eq!(without_counter(value), fields[1], "{line}");
        let kept = |&&(_, value): &&(Move, Value)| without_counter(value) == fields[1];
        let mut keeping: Vec<String> = moves
            .iter()
            .filter(kept)
            .map(|&(mv, _)| movetext::write_full(&position, mv, Spelling::Algebraic))
            .collect();
        let mut expected: Vec<&str> = fields[2].split(' ').collect();
        keeping.sort_unstable();
        expected.sort_unstable();
        assert_eq!(keeping, expected, "{line}");
        seen += 1;
    }
    assert!(seen >= 120, "{seen}");
}

#[test]
fn the_tables_of_the_program_are_what_the_generator_makes() {
    let built_in = Tables::built_in(64);
    assert_eq!(built_in.most_pieces(), 4);
    for pieces in 2..=4 {
        for material in materials(pieces) {
            let all = placements(material);
            // Every position of some, and enough of the others to meet every block.
            let step = if pieces == 4 { 61 } else { 1 };
            for position in all.iter().step_by(step) {
                assert_eq!(
                    built_in.probe(position),
                    tables().probe(position),
                    "{position:?}"
                );
                let flipped = position.color_flipped();
                assert_eq!(built_in.probe(&flipped), tables().probe(position));
            }
        }
    }
    assert!(built_in.take_complaints().is_empty());
}

#[test]
fn the_border_of_the_counter_is_seen_from_both_sides() {
    // Three kings catch the fourth by the thirteenth move: 21 plies of kings alone.
    let longest = position("W:WKc1,Kd2,Ka3:BKe1");
    let Some(Value::Win(distance)) = tables().probe(&longest) else {
        panic!("a win");
    };
    let border = u16::from(LIMIT - distance);
    let value = Value::Win(distance);
    assert_eq!(value.at_count(border), value);
    assert_eq!(value.at_count(border + 1), Value::Draw);
}

#[test]
fn every_value_follows_from_its_successors() {
    for material in (2..=4).flat_map(materials) {
        assert_eq!(tables().verify(material), None, "{material}");
    }
}
