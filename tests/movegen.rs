//! The generator against cases with every legal move, and the examples of public rule pages.

use crate::support::{Random, Triple, position, positions_lines, positions_text, random_placement};
use crate::support::{square, squares, triple};
use serde_json::Value;
use shashki::board::{Bitboard, Square};
use shashki::notation::{Numbering, Spelling, fen, movetext};
use shashki::rules::{MOVE_LIST_CAPACITY, Move, Position, movegen};
use std::collections::BTreeSet;

fn triples(position: &Position) -> BTreeSet<Triple> {
    position.legal_moves().into_iter().map(triple).collect()
}

fn numbered(n: &str) -> Square {
    Square::from_number_b8(n.parse().expect("a number")).expect("1 to 32")
}

/// The legal moves in full, sorted.
fn texts(fen: &str) -> Vec<String> {
    let position = position(fen);
    let full = |mv: Move| movetext::write_full(&position, mv, Spelling::Algebraic);
    let mut texts: Vec<String> = position.legal_moves().into_iter().map(full).collect();
    texts.sort();
    texts
}

#[test]
fn twelve_thousand_positions_have_exactly_their_moves() {
    let lines = positions_lines("legal-moves.txt");
    assert_eq!(lines.len(), 12_000);
    for line in lines {
        let (fen, moves) = line.split_once('|').expect("FEN | moves");
        let expected: BTreeSet<Triple> = moves
            .split_whitespace()
            .map(|text| {
                let (from, rest) = text.split_once('>').expect("from>to");
                let (to, captured) = rest.trim_end_matches(')').split_once('(').expect("to(…)");
                let captured: Bitboard = captured
                    .split(',')
                    .filter(|n| !n.is_empty())
                    .map(numbered)
                    .collect();
                (numbered(from), numbered(to), captured.bits())
            })
            .collect();
        assert_eq!(triples(&position(fen.trim())), expected, "{fen}");
    }
}

#[test]
fn ninety_cases_have_their_moves_paths_and_results() {
    let json: Value = serde_json::from_str(&positions_text("movegen_cases.json")).expect("JSON");
    let cases = json["cases"].as_array().expect("cases");
    assert_eq!(cases.len(), 90);
    let text = |value: &Value| value.as_str().expect("a string").to_owned();
    for case in cases {
        let id = &case["id"];
        let position = position(&text(&case["fen"]));
        let numeric = fen::read(&text(&case["fen_numeric"]), Numbering::B8).expect("numbers");
        assert_eq!(numeric.position, position, "{id}");
        let legal = position.legal_moves();
        let moves = case["moves"].as_array().expect("moves");
        assert_eq!(legal.len(), moves.len(), "{id}");
        assert_eq!(
            legal.len() as u64,
            case["n_moves"].as_u64().expect("n"),
            "{id}"
        );
        for wanted in moves {
            let captured: Vec<String> = wanted["captured"]
                .as_array()
                .expect("captured")
                .iter()
                .map(text)
                .collect();
            let captured = squares(captured.iter().map(String::as_str));
            let ends = (square(&text(&wanted["from"])), square(&text(&wanted["to"])));
            let mv = legal
                .iter()
                .copied()
                .find(|&mv| triple(mv) == (ends.0, ends.1, captured.bits()))
                .unwrap_or_else(|| panic!("{id}: no {}", wanted["move"]));
            assert_eq!(
                mv.crowns(),
                wanted["promotes"].as_bool().expect("bool"),
                "{id}"
            );
            let result = self::position(&text(&wanted["result"]));
            assert_eq!(position.play(mv), result, "{id} {}", wanted["move"]);
            // Each path given is read as this move, and ours is one of them.
            let paths: Vec<String> = wanted["paths"]
                .as_array()
                .expect("paths")
                .iter()
                .map(text)
                .collect();
            for path in &paths {
                let read = movetext::read(&position, path, Numbering::B8);
                assert_eq!(read, Ok(mv), "{id} {path}");
            }
            let ours = movetext::write_full(&position, mv, Spelling::Algebraic).replace(':', "x");
            assert!(paths.contains(&ours), "{id}: {ours} is not among {paths:?}");
        }
    }
}

#[test]
fn positions_that_users_asked_about_have_exactly_their_moves() {
    let lines = positions_lines("case_positions.tsv");
    let mut checked = 0;
    for line in lines.iter().skip(1) {
        let mut fields = line.split('\t');
        let mut next = || fields.next().unwrap_or("");
        let (id, numeric, algebraic, hub) = (next(), next(), next(), next());
        let (distinct, _paths, legal) = (next(), next(), next());
        let board = position(algebraic);
        for spelling in [numeric, hub] {
            assert_eq!(position(spelling), board, "{id} {spelling}");
        }
        assert_eq!(fen::write_hub(&board), hub, "{id}");
        let moves = board.legal_moves();
        assert_eq!(moves.len().to_string(), distinct, "{id}");
        for entry in legal
            .split(';')
            .map(str::trim)
            .filter(|entry| !entry.is_empty())
        {
            let mut parts = entry.split(" = ");
            let paths = parts.next().expect("paths");
            let captured = parts.next().expect("captured").trim();
            let after = position(parts.next().expect("position after"));
            for path in paths.split(" / ") {
                let mv = movetext::read(&board, path, Numbering::B8)
                    .unwrap_or_else(|e| panic!("{id}: {e}"));
                let names = captured.split(',').filter(|name| *name != "-");
                assert_eq!(mv.captured(), squares(names), "{id} {path}");
                assert_eq!(board.play(mv), after, "{id} {path}");
            }
            checked += 1;
        }
    }
    assert!(checked > 50);
}

#[test]
fn examples_of_public_rule_pages() {
    // White c3 against d4 and f6 ends on g7 with two taken.
    assert_eq!(texts("W:Wc3:Bd4,f6"), ["c3:e5:g7"]);
    // White e5 takes d4 backwards to c3.
    assert_eq!(texts("W:We5:Bd4"), ["e5:c3"]);
}

#[test]
fn small_positions_that_tell_wrong_rules_apart() {
    // A captured piece stays and blocks: e7 cannot be taken after c5.
    assert_eq!(texts("W:Wd6:Bb4,e7"), ["d6:f8"]);
    // Either victim, never both.
    assert_eq!(
        position("W:WKc3:Bb2,g7")
            .legal_moves()
            .iter()
            .map(|m| m.captured().count())
            .max(),
        Some(1)
    );
    // The origin is empty during the move: a ring back to it.
    assert_eq!(position("W:Wa3:Bb2,d2,b4,d4").legal_moves().len(), 1);
    // Crowned in passing, goes on as a king, and must.
    assert_eq!(texts("W:Wh6:Bb4,g7"), ["h6:f8:a3"]);
    // A quiet crowning ends the move.
    assert_eq!(texts("W:Wa7:Bb2,f4"), ["a7-b8"]);
    // Two pieces in a row cannot be jumped.
    assert!(!movegen::has_capture(&position("W:WKa1:Bc3,d4")));
    // The same ends with different victims are two moves.
    assert_eq!(position("W:WKa1:Bd4,b6,d6,e7").legal_moves().len(), 2);
}

#[test]
fn no_list_holds_a_move_twice_and_the_three_questions_agree() {
    let mut random = Random::new(7);
    for _ in 0..200_000 {
        let position = random_placement(&mut random);
        let moves = position.legal_moves();
        let distinct: BTreeSet<Triple> = moves.iter().copied().map(triple).collect();
        let fen = fen::write(&position, Spelling::Algebraic);
        assert_eq!(distinct.len(), moves.len(), "{fen}");
        assert_eq!(movegen::count(&position) as usize, moves.len(), "{fen}");
        assert_eq!(movegen::has_move(&position), !moves.is_empty(), "{fen}");
        let capture = moves.iter().any(|mv| mv.is_capture());
        assert_eq!(movegen::has_capture(&position), capture, "{fen}");
        assert!(moves.iter().all(|mv| mv.is_capture() == capture), "{fen}");
    }
}

/// An independent generator that follows the words of the rules square by square, with landing
/// squares tried one by one and a set to drop equal moves.
mod plain {
    use super::*;
    use shashki::board::{Kind, Piece, Side};

    #[derive(Clone)]
    struct Walk<'a> {
        board: [[Option<Piece>; 8]; 8],
        side: Side,
        found: &'a std::cell::RefCell<BTreeSet<Triple>>,
        from: (i32, i32),
    }

    /// A victim and the landing squares behind it.
    type Jump = ((i32, i32), Vec<(i32, i32)>);

    const WAYS: [(i32, i32); 4] = [(1, 1), (-1, 1), (-1, -1), (1, -1)];

    fn on(at: (i32, i32)) -> bool {
        (0..8).contains(&at.0) && (0..8).contains(&at.1)
    }

    fn named(at: (i32, i32)) -> Square {
        Square::new(at.0 as usize, at.1 as usize).expect("dark")
    }

    impl Walk<'_> {
        fn at(&self, at: (i32, i32)) -> Option<Piece> {
            self.board[at.0 as usize][at.1 as usize]
        }

        fn last_row(&self) -> i32 {
            if self.side == Side::White { 7 } else { 0 }
        }

        /// All (victim, landings) from a square.
        fn jumps(&self, at: (i32, i32), kind: Kind, taken: &[(i32, i32)]) -> Vec<Jump> {
            let mut jumps = Vec::new();
            for way in WAYS {
                let mut next = (at.0 + way.0, at.1 + way.1);
                while kind == Kind::King && on(next) && self.at(next).is_none() {
                    next = (next.0 + way.0, next.1 + way.1);
                }
                if !on(next) || taken.contains(&next) {
                    continue;
                }
                if self.at(next).is_none_or(|piece| piece.side == self.side) {
                    continue;
                }
                let victim = next;
                let mut landings = Vec::new();
                next = (next.0 + way.0, next.1 + way.1);
                while on(next) && self.at(next).is_none() {
                    landings.push(next);
                    if kind == Kind::Man {
                        break;
                    }
                    next = (next.0 + way.0, next.1 + way.1);
                }
                if !landings.is_empty() {
                    jumps.push((victim, landings));
                }
            }
            jumps
        }

        fn capture(&self, at: (i32, i32), kind: Kind, taken: &mut Vec<(i32, i32)>) -> bool {
            let jumps = self.jumps(at, kind, taken);
            for (victim, landings) in &jumps {
                taken.push(*victim);
                let kind_on = |landing: &(i32, i32)| {
                    if landing.1 == self.last_row() {
                        Kind::King
                    } else {
                        kind
                    }
                };
                let goes_on = |landing: &&(i32, i32)| {
                    !self.jumps(**landing, kind_on(landing), taken).is_empty()
                };
                let must: Vec<_> = landings.iter().filter(goes_on).collect();
                if must.is_empty() {
                    for landing in landings {
                        let set: Bitboard = taken.iter().map(|&at| named(at)).collect();
                        let triple = (named(self.from), named(*landing), set.bits());
                        self.found.borrow_mut().insert(triple);
                    }
                } else {
                    for landing in must {
                        self.capture(*landing, kind_on(landing), taken);
                    }
                }
                taken.pop();
            }
            !jumps.is_empty()
        }
    }

    pub(super) fn moves(position: &Position) -> BTreeSet<Triple> {
        let found = std::cell::RefCell::new(BTreeSet::new());
        let mut board = [[None; 8]; 8];
        for square in Square::ALL {
            board[square.file()][square.rank()] = position.piece_at(square);
        }
        let own = |square: &Square| {
            position
                .piece_at(*square)
                .is_some_and(|piece| piece.side == position.side())
        };
        let own: Vec<Square> = Square::ALL.into_iter().filter(own).collect();
        let mut any = false;
        for &square in &own {
            let from = (square.file() as i32, square.rank() as i32);
            let kind = position.piece_at(square).expect("own piece").kind;
            let mut lifted = board;
            lifted[square.file()][square.rank()] = None;
            let walk = Walk {
                board: lifted,
                side: position.side(),
                found: &found,
                from,
            };
            any |= walk.capture(from, kind, &mut Vec::new());
        }
        if !any {
            for &square in &own {
                let from = (square.file() as i32, square.rank() as i32);
                let kind = position.piece_at(square).expect("own piece").kind;
                for way in WAYS {
                    let up = if position.side() == Side::White {
                        1
                    } else {
                        -1
                    };
                    if kind == Kind::Man && way.1 != up {
                        continue;
                    }
                    let mut next = (from.0 + way.0, from.1 + way.1);
                    while on(next) && board[next.0 as usize][next.1 as usize].is_none() {
                        found.borrow_mut().insert((square, named(next), 0));
                        if kind == Kind::Man {
                            break;
                        }
                        next = (next.0 + way.0, next.1 + way.1);
                    }
                }
            }
        }
        found.into_inner()
    }
}

#[test]
fn a_plain_generator_written_from_the_rules_agrees() {
    let mut random = Random::new(2026);
    for _ in 0..30_000 {
        let position = random_placement(&mut random);
        let fen = fen::write(&position, Spelling::Algebraic);
        assert_eq!(triples(&position), plain::moves(&position), "{fen}");
    }
}

/// Climbs towards boards with as many moves as possible; the list must hold more than it finds.
#[test]
fn the_move_list_has_room_to_spare() {
    let mut random = Random::new(99);
    let mut most = 0;
    for _ in 0..60 {
        let mut best = random_placement(&mut random).to_setup();
        let mut best_count = 0;
        for _ in 0..4_000 {
            let mut setup = best;
            for _ in 0..1 + random.below(3) {
                let square = Square::ALL[random.below(32)].bitboard();
                setup.white = setup.white.without(square);
                setup.black = setup.black.without(square);
                setup.kings = setup.kings.without(square);
                match random.below(5) {
                    0 | 1 => {
                        setup.white |= square;
                        setup.kings |= square;
                    }
                    2 | 3 => setup.black |= square,
                    _ => {}
                }
            }
            if let Ok(position) = setup.validate() {
                let count = position.legal_moves().len();
                if count >= best_count {
                    (best, best_count) = (setup, count);
                }
            }
        }
        most = most.max(best_count);
    }
    println!("most moves found: {most}");
    assert!(
        most > 60,
        "the climb has become too weak to mean anything: {most}"
    );
    assert!(most * 3 / 2 < MOVE_LIST_CAPACITY, "{most} moves found");
}
