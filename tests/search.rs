//! The search: sound scores, won endings won, draws by rule seen, limits kept.

use crate::support::{Random, position, positions_lines, random_play};
use shashki::engine::bench;
use shashki::notation::{Numbering, Spelling, movetext};
use shashki::rules::{DrawRules, Game, GameEnd, Move, Position};
use shashki::score::Score;
use shashki::search::{
    Clock, Endings, Info, Limits, NoObserver, Observer, Report, SearchPool, Shared,
};
use shashki::tb::Tables;
use shashki::tt::TranspositionTable;
use std::sync::Arc;
use std::time::{Duration, Instant};

fn table() -> Arc<TranspositionTable> {
    Arc::new(TranspositionTable::new(8).expect("memory"))
}

fn think(game: &Game, limits: &Limits, threads: usize) -> Report {
    SearchPool::new(threads).search(&Shared::new(table()), game, limits, &mut NoObserver)
}

fn best(fen: &str, depth: u32) -> (String, Score) {
    let game = Game::new(position(fen), DrawRules::standard());
    let report = think(&game, &Limits::depth(depth), 1);
    let best = report.best.expect("a move");
    (
        movetext::write_full(game.position(), best, Spelling::Algebraic),
        report.score,
    )
}

#[test]
fn bench_has_its_signature() {
    let run = || {
        bench::run(7, 1, &DrawRules::standard(), |_| {})
            .expect("memory")
            .nodes
    };
    let nodes = run();
    assert_eq!(nodes, run());
    // Changes with every change of the search; the commit that changes it says so.
    assert_eq!(nodes, SIGNATURE, "bench at depth 7");
}

const SIGNATURE: u64 = 102_318;

#[test]
fn free_men_are_taken_and_offers_seen_through() {
    // The only choice that matters is which capture to make.
    let (mv, _) = best("B:W10,11,18:B7", 3);
    assert_eq!(mv, "e7:c5:e3");
    // One king each: the only move that wins, by going to the corner.
    let (mv, score) = best("W:WKf6:BKh8", 16);
    assert_eq!(mv, "f6-a1");
    assert!(score.is_win(), "{score}");
    assert_eq!(
        best("W:WKb8,Kc7:BKg1", 16),
        ("b8-a7".to_owned(), Score::win_at(7))
    );
    assert_eq!(best("W:WKa1:BKb2", 2).1, Score::win_at(1));
}

#[test]
fn combinations_are_seen_at_once() {
    let lines = positions_lines("tactics.txt");
    assert!(lines.len() >= 50);
    let begun = Instant::now();
    for line in &lines {
        let fields: Vec<&str> = line.split(" | ").collect();
        let [fen, expected, depth] = fields[..] else {
            panic!("{line}")
        };
        let depth: u32 = depth.parse().expect("a depth");
        // Late moves are searched less deeply, so some depth more is needed than the line is long.
        let (mv, score) = best(fen, depth + 10);
        let position = position(fen);
        let read = |text: &str| movetext::read(&position, text, Numbering::B8).expect(line);
        assert_eq!(read(&mv), read(expected), "{line}: {mv} {score}");
    }
    assert!(
        begun.elapsed() < Duration::from_secs(60),
        "{:?}",
        begun.elapsed()
    );
}

/// `positions/endings.txt`: FEN | plies to the win | winning moves.
#[test]
fn short_wins_are_found() {
    let lines = positions_lines("endings.txt");
    assert!(lines.len() >= 39);
    for line in &lines {
        let fields: Vec<&str> = line.split(" | ").collect();
        let [fen, plies, keeping] = fields[..] else {
            panic!("{line}")
        };
        let plies: u32 = plies.parse().expect("a number");
        let game = Game::new(position(fen), DrawRules::none());
        let report = think(&game, &Limits::depth(plies + 12), 1);
        assert!(report.score.is_win(), "{line}: {}", report.score);
        // Late moves are searched less deeply: a longer way may be found, never a shorter one.
        let found = report.score.plies_to_end().expect("a win");
        assert!((plies..=plies + 2).contains(&found), "{line}: {found}");
        let mv = report.best.expect("a move");
        let text = movetext::write_full(game.position(), mv, Spelling::Algebraic);
        let keeps = keeping
            .split(' ')
            .any(|keep| movetext::read(game.position(), keep, Numbering::B8) == Ok(mv));
        assert!(keeps, "{line}: {text}");
    }
}

/// Plays a game out, both sides thinking to a number of nodes, with the tables of the program.
fn play_out(fen: &str, nodes: u64) -> GameEnd {
    let table = table();
    let tables = Arc::new(Tables::built_in(16));
    let mut pool = SearchPool::new(1);
    let mut game = Game::new(position(fen), DrawRules::standard());
    loop {
        if let Some(end) = game.end() {
            return end;
        }
        let mut shared = Shared::new(table.clone());
        shared.endings = Some(Endings {
            tables: tables.clone(),
            most_pieces: tables.most_pieces(),
        });
        let report = pool.search(&shared, &game, &Limits::nodes(nodes), &mut NoObserver);
        assert!(game.play(report.best.expect("a move")));
    }
}

#[test]
fn won_endings_are_won() {
    use shashki::board::Side;
    for (fen, winner) in [
        ("W:WKa1,Kb2,Kd2,Kb4:BKc1", Side::White),
        ("W:WKc3,Kd6,Ke3:BKh4", Side::White),
        ("W:Wc3,d4,e3,f4:Bh6", Side::White),
        ("B:Wa3:BKb8,Kd8,h6", Side::Black),
        ("W:WKa1,Kc1,e1,g1:Bb8", Side::White),
        ("W:WKd4,Kf2,c3:Bh8,a7", Side::White),
    ] {
        assert_eq!(play_out(fen, 300_000).winner(), Some(winner), "{fen}");
    }
}

#[test]
fn draws_by_counter_are_seen_coming() {
    let win = position("W:WKb8,Kc7:BKg1");
    let table = table();
    // The king is taken on the seventh ply; six quiet plies come before it, so the win is there as
    // long as at most 23 plies are counted. All with one table: nothing may leak from one count to
    // another.
    for half_moves in [0, 24, 23, 24, 0, 26, 25, 22, 29, 23, 28, 0] {
        let game = Game::continued(win, DrawRules::standard(), half_moves);
        let shared = Shared::new(table.clone());
        let mut pool = SearchPool::new(1);
        let report = pool.search(&shared, &game, &Limits::depth(16), &mut NoObserver);
        if half_moves <= 23 {
            assert_eq!(report.score, Score::win_at(7), "after {half_moves}");
        } else {
            // A king may be given up to start the counter anew, but that wins nothing.
            assert!(
                report.score < Score::evaluation(60),
                "after {half_moves}: {}",
                report.score
            );
        }
    }
}

#[test]
fn every_preset_is_known_to_the_search() {
    // One ply before each preset's limit.
    for (rules, fen, half_moves) in [
        ("standard", "W:WKa1,Kc1,h2:BKb8,h6", 29),
        ("official", "W:WKb8,Kd8,Kf8:BKa1", 9),
        ("official", "W:WKb8,Kd8:BKa1", 9),
        ("lidraughts", "W:WKb8,Kd8,Kf8:BKa1", 9),
        ("casual40", "W:WKa1,Kc1:BKb8", 79),
        ("custom:12", "W:WKa1,Kc1:BKb8", 11),
        ("kings15", "W:WKa1:BKb8", 0),
    ] {
        let game = Game::continued(position(fen), rules.parse().expect("a preset"), half_moves);
        // Moves that end the game by the rule; a sacrifice may be a way round it.
        let ends = |mv: &Move| {
            let mut game = game.clone();
            game.play(*mv) && matches!(game.end(), Some(GameEnd::Draw(_)))
        };
        let drawing: Vec<Move> = game
            .position()
            .legal_moves()
            .into_iter()
            .filter(ends)
            .collect();
        assert!(!drawing.is_empty(), "{rules} {fen}");
        for mv in drawing {
            let limits = Limits {
                search_moves: vec![mv],
                ..Limits::depth(6)
            };
            assert_eq!(
                think(&game, &limits, 1).score,
                Score::DRAW,
                "{rules} {fen} {mv:?}"
            );
        }
    }
}

#[test]
fn a_third_occurrence_is_a_draw() {
    let mut game = Game::new(position("W:WKh2:BKb8"), DrawRules::standard());
    for text in "h2-g1 b8-a7 g1-h2 a7-b8 h2-g1 b8-a7 g1-h2".split(' ') {
        let mv = movetext::read(game.position(), text, Numbering::B8).expect("legal");
        assert!(game.play(mv));
    }
    // a7-b8 would be the third occurrence: a draw at once.
    let mv = movetext::read(game.position(), "a7-b8", Numbering::B8).expect("legal");
    let limits = Limits {
        search_moves: vec![mv],
        ..Limits::depth(6)
    };
    assert_eq!(think(&game, &limits, 1).score, Score::DRAW);
}

#[test]
fn both_colors_are_searched_alike() {
    let mut random = Random::new(31);
    for _ in 0..60 {
        let board = random_play(&mut random, 50);
        let score = |position: Position| {
            think(
                &Game::new(position, DrawRules::standard()),
                &Limits::depth(7),
                1,
            )
            .score
        };
        assert_eq!(score(board), score(board.color_flipped()), "{board:?}");
    }
}

#[test]
fn two_threads_agree_with_one_on_decided_positions() {
    for fen in ["W:WKb8,Kc7:BKg1", "W:WKf6:BKh8", "W:WKc3,Kd6,Ke3:BKh4"] {
        let game = Game::new(position(fen), DrawRules::standard());
        let one = think(&game, &Limits::depth(13), 1);
        let two = think(&game, &Limits::depth(13), 2);
        assert!(
            one.score.is_win() && two.score.is_win(),
            "{fen}: {} {}",
            one.score,
            two.score
        );
        assert!(two.nodes > 0);
    }
}

#[test]
fn a_stop_from_another_thread_is_heard_at_once() {
    let game = Game::new(Position::start(), DrawRules::standard());
    for threads in [1, 2] {
        let shared = Shared::new(table());
        std::thread::scope(|scope| {
            let (game, shared) = (&game, &shared);
            let searcher = scope.spawn(move || {
                let limits = Limits {
                    infinite: true,
                    ..Limits::default()
                };
                SearchPool::new(threads).search(shared, game, &limits, &mut NoObserver)
            });
            std::thread::sleep(Duration::from_millis(100));
            let stopped = Instant::now();
            shared.control.stop();
            let report = searcher.join().expect("no panic");
            assert!(
                stopped.elapsed() < Duration::from_millis(300),
                "{:?}",
                stopped.elapsed()
            );
            assert!(report.best.is_some() && report.depth >= 3);
        });
    }
}

#[test]
fn observers_hear_of_each_depth() {
    struct Depths(Vec<u32>);
    impl Observer for Depths {
        fn info(&mut self, info: &Info) {
            assert!(!info.line.is_empty() && info.rank == 1);
            self.0.push(info.depth);
        }
    }
    let game = Game::new(Position::start(), DrawRules::standard());
    let mut depths = Depths(Vec::new());
    SearchPool::new(1).search(&Shared::new(table()), &game, &Limits::depth(6), &mut depths);
    assert_eq!(depths.0, [1, 2, 3, 4, 5, 6]);
}

#[test]
fn a_lost_position_is_reported_as_lost() {
    for fen in ["W:W12:B3,8", "W:W:BK1"] {
        let game = Game::new(position(fen), DrawRules::standard());
        let report = think(&game, &Limits::depth(5), 1);
        assert_eq!((report.best, report.score), (None, Score::loss_at(0)));
    }
}

#[test]
fn a_pool_that_forgets_searches_like_a_new_one() {
    let game = Game::new(Position::start(), DrawRules::standard());
    let mut pool = SearchPool::new(1);
    let nodes = |pool: &mut SearchPool| {
        let shared = Shared::new(table());
        pool.search(&shared, &game, &Limits::depth(9), &mut NoObserver)
            .nodes
    };
    let fresh = nodes(&mut pool);
    assert_ne!(fresh, nodes(&mut pool), "what was learned is used");
    pool.forget();
    assert_eq!(fresh, nodes(&mut pool));
    // With threads that come and go.
    pool.resize(3);
    assert_eq!(pool.threads(), 3);
    nodes(&mut pool);
    pool.resize(1);
    pool.forget();
    assert_eq!(fresh, nodes(&mut pool));
}

#[test]
fn a_forced_move_is_played_at_once() {
    // Black must take, in one way only.
    let game = Game::new(
        position("B:Wd4,c1,e1,g1:Be5,b8,d8,f8"),
        DrawRules::standard(),
    );
    assert_eq!(game.position().legal_moves().len(), 1);
    let limits = Limits {
        clock: Some(Clock {
            remaining: Duration::from_secs(600),
            increment: Duration::ZERO,
            moves_to_go: None,
        }),
        ..Limits::default()
    };
    let report = think(&game, &limits, 2);
    assert!(
        report.time < Duration::from_millis(100),
        "{:?}",
        report.time
    );
    assert!(report.best.is_some());
}

#[test]
fn a_node_limit_is_met_exactly_by_one_thread_and_nearly_by_more() {
    let game = Game::new(Position::start(), DrawRules::standard());
    for limit in [1_000, 12_345, 100_000] {
        assert_eq!(think(&game, &Limits::nodes(limit), 1).nodes, limit);
        let nodes = think(&game, &Limits::nodes(limit), 2).nodes;
        assert!((limit..limit + 5_000).contains(&nodes), "{nodes}");
    }
}
