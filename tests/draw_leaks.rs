//! Scores that depend on more than the position must not leak through the table.
//!
//! Every answer here is that of [`Solver`], which knows the move generator and the draw rules and
//! nothing of the search.

use crate::support::position;
use shashki::notation::{Numbering, movetext};
use shashki::rules::{DrawClock, DrawRules, Game, Position};
use shashki::score::Score;
use shashki::search::{Limits, NoObserver, SearchPool, Shared};
use shashki::tt::TranspositionTable;
use std::collections::HashMap;
use std::sync::Arc;

/// Exhaustive search for forced wins of positions with few pieces.
///
/// Counters are part of the state. Of repetition it needs to know only which positions have occurred
/// twice in the game: to reach one of them again is a draw. All other positions are met at most once
/// on a shortest way to a win, since counters only grow until a move that cannot be undone, so that
/// whoever meets a position a second time could have won sooner.
struct Solver {
    rules: DrawRules,
    twice: Vec<Position>,
    known: HashMap<(Position, u32), Vec<(DrawClock, bool)>>,
}

impl Solver {
    fn new(game: &Game) -> Solver {
        let back = if game.rules().has_repetition() {
            usize::from(game.clock().reversible())
        } else {
            0
        };
        let positions = game.positions();
        let recent = &positions[positions.len() - 1 - back..];
        let often = |&&at: &&Position| recent.iter().filter(|&&other| other == at).count() >= 2;
        let twice = recent.iter().filter(often).copied().collect();
        Solver {
            rules: game.rules().clone(),
            twice,
            known: HashMap::new(),
        }
    }

    /// Whether the game ends drawn when this position arises, its side to move able to move.
    fn is_drawn(&self, position: &Position, clock: &DrawClock) -> bool {
        self.twice.contains(position) || clock.reached(&self.rules, position).is_some()
    }

    /// Whether the side to move forces a win in at most `plies` plies (odd), or if `plies` is even,
    /// has lost in at most so many.
    fn decided(&mut self, position: &Position, clock: &DrawClock, plies: u32) -> bool {
        let moves = position.legal_moves();
        let wins = plies % 2 == 1;
        if moves.is_empty() || plies == 0 {
            return moves.is_empty() && !wins;
        }
        let known = self.known.get(&(*position, plies));
        let known = known.and_then(|known| known.iter().find(|(at, _)| at == clock));
        if let Some(&(_, answer)) = known {
            return answer;
        }
        let mut answer = !wins;
        for mv in moves {
            let after = position.play(mv);
            let clock_after = clock.after(&self.rules, position, mv, &after);
            let over = after.legal_moves().is_empty();
            let below = if !over && self.is_drawn(&after, &clock_after) {
                false
            } else {
                self.decided(&after, &clock_after, plies - 1)
            };
            if below == wins {
                answer = wins;
                break;
            }
        }
        let known = self.known.entry((*position, plies)).or_default();
        known.push((*clock, answer));
        answer
    }

    /// The score of the game within so many plies: a win, a loss, or neither.
    fn solve(&mut self, game: &Game, most: u32) -> Option<Score> {
        (0..=most).find_map(|plies| {
            self.decided(game.position(), game.clock(), plies).then(|| {
                if plies % 2 == 1 {
                    Score::win_at(plies)
                } else {
                    Score::loss_at(plies)
                }
            })
        })
    }
}

/// What a game is worth to the side to move.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Value {
    Win,
    Loss,
    /// Neither side can force anything before a draw, or within the horizon.
    Open,
}
use Value::{Loss, Open, Win};

impl Value {
    fn of(score: Option<Score>) -> Value {
        match score {
            Some(score) if score.is_win() => Win,
            Some(score) if score.is_loss() => Loss,
            _ => Open,
        }
    }
}

/// A game: rules, first position, plies counted there, moves; and its value.
type Case = (&'static str, &'static str, u16, &'static str, Value);

fn game((rules, fen, half_moves, moves, _): Case) -> Game {
    let rules = rules.parse().expect("a preset");
    let mut game = Game::continued(position(fen), rules, half_moves);
    for text in moves.split_whitespace() {
        let mv = movetext::read(game.position(), text, Numbering::B8).expect(text);
        assert!(game.play(mv), "{text}");
    }
    game
}

/// All forced wins of the games here are shorter, in plies.
const HORIZON: u32 = 11;

/// Late moves are searched less deeply, so that much more depth sees all of them.
const MORE: u32 = 7;

fn think(table: &Arc<TranspositionTable>, game: &Game) -> Score {
    let limits = Limits::depth(HORIZON + MORE);
    SearchPool::new(1)
        .search(&Shared::new(table.clone()), game, &limits, &mut NoObserver)
        .score
}

/// Searches the games with a new table each, then in both orders with one table. Each answer must be
/// that of the solver, and a win or loss claimed must be there in as many plies.
fn check(cases: &[Case]) {
    let memory = || Arc::new(TranspositionTable::new(4).expect("memory"));
    let mut games: Vec<(Game, Value, Solver)> = Vec::new();
    for &case in cases {
        let game = game(case);
        let mut solver = Solver::new(&game);
        let solved = solver.solve(&game, HORIZON);
        assert_eq!(Value::of(solved), case.4, "solver: {case:?}: {solved:?}");
        games.push((game, case.4, solver));
    }
    let count = games.len();
    let mut faults = Vec::new();
    let mut ask = |table: &Arc<TranspositionTable>, number: usize, how: &str| {
        let (game, value, solver) = &mut games[number];
        let score = think(table, game);
        let right = Value::of(Some(score)) == *value;
        let plies = score.plies_to_end().filter(|_| right);
        let real = plies.is_none_or(|plies| solver.solve(game, plies).is_some());
        if !right || !real {
            faults.push(format!("{how}: {:?}: {score}", cases[number]));
        }
    };
    for number in 0..count {
        ask(&memory(), number, "alone");
    }
    let table = memory();
    for number in (0..count).chain((0..count).rev()) {
        ask(&table, number, "in order and back");
    }
    let table = memory();
    for number in (0..count).rev() {
        ask(&table, number, "in reverse");
    }
    assert!(faults.is_empty(), "\n{}", faults.join("\n"));
}

#[test]
fn counts_of_the_fifteen_move_rule_are_kept_apart() {
    let fen = "W:WKe1,Kg1:BKa7";
    check(&[
        ("standard", fen, 29, "", Open),
        ("standard", fen, 0, "", Win),
        ("standard", fen, 24, "", Open),
        ("standard", fen, 23, "", Win),
    ]);
    // Seen from the side that loses.
    let fen = "B:WKa7,Kc7:BKg1";
    check(&[
        ("standard", fen, 25, "", Open),
        ("standard", fen, 24, "", Loss),
        ("standard", fen, 0, "", Loss),
    ]);
    let fen = "W:WKf6:BKh8";
    check(&[
        ("standard", fen, 28, "", Open),
        ("standard", fen, 27, "", Win),
        ("standard", fen, 0, "", Win),
    ]);
}

#[test]
fn a_mans_move_starts_one_rule_anew_and_not_another() {
    let fen = "B:We5:BKa5";
    check(&[
        ("casual40", fen, 76, "", Open),
        ("standard", fen, 28, "", Win),
        ("standard", fen, 29, "", Open),
        ("casual40", fen, 74, "", Win),
        ("casual40", fen, 28, "", Win),
        ("none", fen, 0, "", Win),
    ]);
    let fen = "W:Wa7,Ka5:BKg1";
    check(&[
        ("casual40", fen, 79, "", Open),
        ("casual40", fen, 76, "", Win),
        ("standard", fen, 29, "", Open),
        ("standard", fen, 25, "", Win),
        ("custom:3", fen, 0, "", Open),
    ]);
}

#[test]
fn rules_are_kept_apart() {
    let fen = "W:WKb8,Kc7:BKg1";
    check(&[
        ("none", fen, 0, "", Win),
        ("lidraughts", fen, 4, "", Open),
        ("lidraughts", fen, 3, "", Win),
        ("standard", fen, 4, "", Win),
        ("official", fen, 4, "", Open),
        ("casual40", fen, 73, "", Win),
        ("casual40", fen, 74, "", Open),
        ("standard", fen, 24, "", Open),
    ]);
    // One king each is a draw here as soon as nothing can be taken, and nowhere else.
    let fen = "W:WKf6:BKh8";
    check(&[
        ("kings15", fen, 0, "", Open),
        ("standard", fen, 0, "", Win),
        ("none", fen, 0, "", Win),
    ]);
    // Petrov's triangle closed: the last move of all may be the fifteenth.
    let fen = "B:WKc3,Kd6,Ke3:BKd8";
    check(&[
        ("standard", fen, 29, "", Open),
        ("standard", fen, 22, "", Loss),
        ("official", fen, 22, "", Loss),
        ("none", fen, 0, "", Loss),
    ]);
}

#[test]
fn two_ways_to_one_position_count_differently() {
    // The man is crowned at the start, and then three plies are counted; or late, and one is.
    let fen = "W:Wa7,Kd8:BKg1";
    check(&[
        ("custom:9", fen, 0, "a7-b8 g1-f2 d8-c7 f2-g1", Open),
        ("custom:9", fen, 0, "d8-c7 g1-f2 a7-b8 f2-g1", Win),
    ]);
    // The king goes to c7 at once, or after four plies that lead nowhere.
    let fen = "W:WKb8,Kd8:BKf2";
    let detour = "d8-e7 f2-g1 e7-d8 g1-f2 d8-c7 f2-g1";
    check(&[
        ("standard", fen, 20, detour, Open),
        ("standard", fen, 20, "d8-c7 f2-g1", Win),
    ]);
}

/// The only way to win leads to a position that has been on the board twice.
#[test]
fn a_third_occurrence_spoils_a_win_in_its_own_game_only() {
    let fen = "B:WKa7,c7:BKg1";
    let once = "g1-h2 a7-b8 h2-g1";
    let twice = "g1-h2 a7-b8 h2-g1 b8-a7 g1-h2 a7-b8 h2-g1";
    check(&[
        ("standard", fen, 0, twice, Open),
        ("standard", fen, 0, once, Win),
        ("standard", "W:WKb8,c7:BKg1", 7, "", Win),
    ]);
    let fen = "B:WKe1,Kc7,d6:BKb8";
    let twice = "b8-a7 c7-a5 a7-b8 a5-c7 b8-a7 c7-a5 a7-b8";
    check(&[
        ("standard", "W:WKe1,Ka5,d6:BKb8", 7, "", Win),
        ("standard", fen, 0, twice, Open),
    ]);
}

/// The same, two plies earlier: the fatal position is below a node that the table may know.
#[test]
fn a_third_occurrence_is_seen_through_the_table() {
    for (fen, moves, now) in [
        (
            "B:WKa7,Kc7:BKg1",
            "g1-h2 c7-a5 h2-g1 a5-c7 g1-h2 a7-b8",
            "B:WKb8,Kc7:BKh2",
        ),
        (
            "B:WKg1,Kg3:BKa7",
            "a7-b8 g1-h2 b8-a7 h2-g1 a7-b8 g1-h2",
            "B:WKh2,Kg3:BKb8",
        ),
        (
            "B:WKd6,a7:BKg1",
            "g1-h2 d6-b8 h2-g1 b8-d6 g1-h2 d6-b8",
            "B:WKb8,a7:BKh2",
        ),
    ] {
        check(&[
            ("standard", now, 6, "", Loss),
            ("standard", fen, 0, moves, Open),
            ("standard", now, 0, "", Loss),
        ]);
    }
}

/// Rules without repetition: what has occurred twice may occur again.
#[test]
fn repetition_draws_only_where_the_rules_say_so() {
    let fen = "B:WKa7,c7:BKg1";
    let twice = "g1-h2 a7-b8 h2-g1 b8-a7 g1-h2 a7-b8 h2-g1";
    check(&[
        ("standard", fen, 0, twice, Open),
        ("casual40", fen, 0, twice, Win),
        ("none", fen, 0, twice, Win),
    ]);
}

/// What a third occurrence takes away in one game is there in the others: a bound that rests on it
/// must not be believed in a game without that history.
#[test]
fn a_draw_on_one_path_is_no_draw_on_another() {
    let fen = "B:WKf4,g1:BKa7";
    let twice = "a7-b6 f4-h2 b6-a7 h2-f4 a7-b8 f4-h2";
    for (apart, moves) in [
        ("W:Wg1,Ke5:BKb8", twice),
        ("W:Wg1,Kd6:BKb8", twice),
        ("W:Wg1,Kg3:BKb8", twice),
    ] {
        check(&[
            ("standard", fen, 0, moves, Open),
            ("standard", apart, 0, "", Win),
            ("standard", fen, 0, "a7-b8 f4-h2", Loss),
        ]);
    }
}
