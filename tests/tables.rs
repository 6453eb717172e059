//! Endgame tables: against published counts, and against a solver that shares nothing with them.

use crate::support::{Random, position, positions_lines};
use shashki::board::{Side, Square};
use shashki::rules::{DrawClock, DrawRules, Position, Setup};
use shashki::tb::{LIMIT, Material, Tables, Value};
use std::collections::HashMap;
use std::sync::OnceLock;

/// Up to four pieces, made once.
fn tables() -> &'static Tables {
    static TABLES: OnceLock<Tables> = OnceLock::new();
    TABLES.get_or_init(|| Tables::solve(4))
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
fn resolved(tables: &Tables, position: &Position) -> Value {
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
    known: HashMap<(Position, u16), Answer>,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Answer {
    Win,
    Loss,
    Draw,
}

impl Solver {
    fn new() -> Solver {
        Solver {
            rules: DrawRules::standard(),
            known: HashMap::new(),
        }
    }

    /// The answer to a position that a game has come to by `count` quiet moves of kings.
    fn solve(&mut self, position: &Position, count: u16) -> Answer {
        // Seen from White, so that both colours share their answers.
        let position = match position.side() {
            Side::White => *position,
            Side::Black => position.color_flipped(),
        };
        if let Some(&answer) = self.known.get(&(position, count)) {
            return answer;
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
        self.known.insert((position, count), answer);
        answer
    }

    /// The table must say the same at these counts.
    fn check(&mut self, position: &Position, counts: impl Iterator<Item = u16>) {
        let Some(value) = tables().probe(position) else {
            return;
        };
        for count in counts {
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

#[test]
fn a_solver_that_counts_agrees_on_two_pieces_and_some_of_three() {
    let mut solver = Solver::new();
    for canonical in Material::all(2) {
        for material in [canonical, canonical.mirrored()] {
            for position in placements(material) {
                solver.check(&position, 0..u16::from(LIMIT));
            }
        }
    }
    let mut random = Random::new(40);
    for canonical in Material::all(3) {
        for material in [canonical, canonical.mirrored()] {
            let all = placements(material);
            for _ in 0..100 {
                let position = all[random.below(all.len())];
                solver.check(&position, 0..u16::from(LIMIT));
            }
        }
    }
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
    for pieces in 2..=4 {
        for canonical in Material::all(pieces) {
            for material in [canonical, canonical.mirrored()] {
                assert_eq!(tables().verify(material), None, "{material}");
            }
        }
    }
}
