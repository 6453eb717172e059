//! The draw counters: scripted games, borders and resets.

use crate::support::{position, positions_text};
use serde_json::Value;
use shashki::notation::{Numbering, movetext};
use shashki::rules::draw::DrawReason;
use shashki::rules::{DrawRules, Game, GameEnd, Move, movegen};

/// The name that `positions/draws.json` has for a reason, under a preset.
fn name_in_file(reason: DrawReason, preset: &str) -> String {
    let text = match reason {
        DrawReason::Repetition => "repetition",
        DrawReason::FifteenMoves if preset == "standard" => "30 plies",
        DrawReason::FifteenMoves => "15 king moves each",
        DrawReason::NoCaptureOrCrowning if preset == "casual40" => "80 plies",
        DrawReason::NoCaptureOrCrowning => "80 plies (the number is the user's)",
        DrawReason::ThreeKingsAgainstOne if preset == "lidraughts" => "lidraughts-30",
        DrawReason::ThreeKingsAgainstOne => "3K-v-K",
        DrawReason::FourOrFivePieces => "lidraughts-60",
        DrawReason::SixOrSevenPieces => "lidraughts-120",
        DrawReason::ManyPieces => "lidraughts-30",
        DrawReason::MainRoad if preset == "lidraughts" => "lidraughts-10",
        DrawReason::MainRoad => "main-road",
        DrawReason::TwoAgainstOne if preset == "lidraughts" => "lidraughts-10",
        DrawReason::TwoAgainstOne => "2-v-K",
        DrawReason::LoneKings => "insufficient",
    };
    text.to_owned()
}

/// Plays moves and returns the first draw: its ply and reason.
fn first_draw(fen: &str, moves: &[&str], rules: &str) -> Option<(u64, DrawReason)> {
    let rules: DrawRules = rules.parse().expect("a preset");
    let mut game = Game::new(position(fen), rules);
    for (ply, text) in (1..).zip(moves) {
        let mv = movetext::read(game.position(), text, Numbering::B8)
            .unwrap_or_else(|e| panic!("ply {ply}: {e}"));
        assert!(game.play(mv));
        if let Some(GameEnd::Draw(reason)) = game.end() {
            return Some((ply, reason));
        }
    }
    None
}

#[test]
fn sixteen_scripted_games_end_where_each_preset_ends_them() {
    let json: Value = serde_json::from_str(&positions_text("draws.json")).expect("JSON");
    let cases = json["cases"].as_array().expect("cases");
    assert_eq!(cases.len(), 16);
    for case in cases {
        let fen = case["fen"].as_str().expect("FEN");
        let moves: Vec<&str> = case["moves"]
            .as_array()
            .expect("moves")
            .iter()
            .filter_map(Value::as_str)
            .collect();
        for (preset, expected) in case["first_draw_by_preset"].as_object().expect("presets") {
            let draw = first_draw(fen, &moves, preset);
            let found = draw.map(|(ply, reason)| (ply, name_in_file(reason, preset)));
            let expected = expected.as_object().map(|draw| {
                let rule = draw["rule"].as_str().expect("rule").to_owned();
                (draw["ply"].as_u64().expect("ply"), rule)
            });
            assert_eq!(found, expected, "{} under {preset}", case["id"]);
        }
        assert_eq!(first_draw(fen, &moves, "none"), None);
    }
}

const W04: &str = "h8-e5 g1-f2 e5-f4 f2-g1 f4-c7 g1-e3 c7-b8 e3-g5 b8-c7 g5-e7 c7-b8 e7-f6 b8-c7 f6-c3 c7-d8 c3-h8 d8-c7 h8-c3 c7-f4 c3-d4 f4-b8 d4-b6 b8-e5 b6-e3 e5-d6 e3-g1 d6-f4 g1-f2 f4-c7 f2-d4";
const W04_FEN: &str = "W:WK4,21,29,30,28:BK32,5,13,12,20";

#[test]
fn thirty_king_plies_with_men_on_the_board_are_a_draw_and_a_man_move_starts_anew() {
    let moves: Vec<&str> = W04.split(' ').collect();
    for preset in ["standard", "official", "club", "kings15"] {
        let draw = first_draw(W04_FEN, &moves, preset);
        assert_eq!(draw, Some((30, DrawReason::FifteenMoves)), "{preset}");
        assert_eq!(first_draw(W04_FEN, &moves[..29], preset), None, "{preset}");
    }
    // A man's move at ply 21 in place of the king's: ten plies later nothing has happened.
    let mut game = Game::new(position(W04_FEN), DrawRules::standard());
    for text in moves[..20].iter().chain(&["c1-b2"]) {
        let mv = movetext::read(game.position(), text, Numbering::B8).expect("legal");
        assert!(game.play(mv));
    }
    assert_eq!(game.clock().reversible(), 0);
    assert_eq!(walk_with_kings(&mut game, 29), None);
    let end = walk_with_kings(&mut game, 1);
    assert_eq!(end, Some(GameEnd::Draw(DrawReason::FifteenMoves)));
}

/// Plays king moves to positions not seen before; returns the end if the game ends.
fn walk_with_kings(game: &mut Game, plies: usize) -> Option<GameEnd> {
    for _ in 0..plies {
        let seen = game.positions().to_vec();
        let position = *game.position();
        let new = |mv: &Move| {
            let after = position.play(*mv);
            mv.is_reversible() && !seen.contains(&after) && !movegen::has_capture(&after)
        };
        let mv = position
            .legal_moves()
            .into_iter()
            .find(new)
            .expect("a new position");
        assert!(game.play(mv));
        if let Some(end) = game.end() {
            return Some(end);
        }
    }
    None
}

/// Each counter one ply before its limit and at it, and after each event that starts it anew.
#[test]
fn each_counter_at_its_border_and_at_each_of_its_resets() {
    use DrawReason::*;
    // preset, FEN, plies already counted, move, draw expected
    let cases: &[(&str, &str, u16, &str, Option<DrawReason>)] = &[
        // The 15-move rule.
        (
            "standard",
            "W:WKa1,c3:BKb8,h6",
            29,
            "a1-b2",
            Some(FifteenMoves),
        ),
        ("standard", "W:WKa1,c3:BKb8,h6", 28, "a1-b2", None),
        ("standard", "W:WKa1,c3:BKb8,h6", 29, "c3-b4", None),
        ("standard", "W:WKa1,a7:BKh2,h6", 29, "a7-b8", None),
        ("standard", "W:WKa1,c3:Bd4,h6", 29, "c3:e5", None),
        // Captures and crownings only.
        (
            "casual40",
            "W:WKa1,c3:BKb8,h6",
            79,
            "a1-b2",
            Some(NoCaptureOrCrowning),
        ),
        ("casual40", "W:WKa1,c3:BKb8,h6", 78, "a1-b2", None),
        (
            "casual40",
            "W:WKa1,c3:BKb8,h6",
            79,
            "c3-b4",
            Some(NoCaptureOrCrowning),
        ),
        ("casual40", "W:WKa1,a7:BKh2,h6", 79, "a7-b8", None),
        ("casual40", "W:WKa1,c3:Bd4,h6", 79, "c3:e5", None),
        (
            "custom:7",
            "W:WKa1,c3:BKb8,h6",
            6,
            "c3-b4",
            Some(NoCaptureOrCrowning),
        ),
        // The main road.
        (
            "official",
            "W:WKb8,Kd8,Kf8:BKa1",
            9,
            "b8-a7",
            Some(MainRoad),
        ),
        ("official", "W:WKb8,Kd8,Kf8:BKa1", 8, "b8-a7", None),
        ("official", "W:Wh2,Kb8,Kd8:BKa1", 9, "h2-g3", Some(MainRoad)),
        ("official", "W:Wa7,Kd8,Kf8:BKa1", 9, "a7-b8", None),
        ("official", "B:WKb8,Kd8,Kf8:BKd4", 9, "d4-e3", None),
        ("official", "W:WKb8,Ka5,Kc1:BKh8", 9, "a5-c3", None),
        ("official", "W:WKb8,Kd8,Kf8,g1:BKa1", 9, "b8-a7", None),
        (
            "lidraughts",
            "W:WKb8,Kd8,Kf8:BKa1",
            9,
            "b8-a7",
            Some(MainRoad),
        ),
        (
            "lidraughts",
            "W:Wa7,Kd8,Kf8:BKa1",
            9,
            "a7-b8",
            Some(MainRoad),
        ),
        // Two against one.
        (
            "official",
            "W:WKb8,Kd8:BKa1",
            9,
            "b8-a7",
            Some(TwoAgainstOne),
        ),
        ("official", "W:WKb8,Kd8:BKa1", 8, "b8-a7", None),
        (
            "official",
            "W:Wg1,Kd8:BKa1",
            9,
            "g1-h2",
            Some(TwoAgainstOne),
        ),
        ("official", "W:Wa7,Kd8:BKa1", 9, "a7-b8", None),
        (
            "lidraughts",
            "W:Wa7,Kd8:BKa1",
            9,
            "a7-b8",
            Some(TwoAgainstOne),
        ),
        ("lidraughts", "W:Wa7,g1:BKa1", 9, "a7-b8", None),
        // Three kings against one: the strong side's fifteenth move, not the weak side's.
        (
            "official",
            "W:WKa1,Kd8,Kf8:BKh2",
            28,
            "a1-b2",
            Some(ThreeKingsAgainstOne),
        ),
        ("official", "B:WKa1,Kd8,Kf8:BKh2", 28, "h2-g1", None),
        ("official", "W:WKa1,Kd8,Kf8:BKh2", 27, "a1-b2", None),
        (
            "lidraughts",
            "W:WKa1,Kd8,Kf8:BKh2",
            29,
            "a1-b2",
            Some(ThreeKingsAgainstOne),
        ),
        ("lidraughts", "W:WKa1,Kd8,Kf8:BKh2", 28, "a1-b2", None),
        // Four or five, six or seven pieces: men's moves do not count as progress.
        (
            "official",
            "W:Wa3,Ka1,Kh2:BKb8,h6",
            59,
            "a3-b4",
            Some(FourOrFivePieces),
        ),
        ("official", "W:Wa3,Ka1,Kh2:BKb8,h6", 58, "a3-b4", None),
        ("official", "W:Wa7,Ka1,Kh2:BKc1,h6", 59, "a7-b8", None),
        ("official", "W:Wa3,Ka1,Kh2:Bb4,Ke1", 59, "a3:c5", None),
        (
            "official",
            "W:Wa3,c1,Ka1:BKb8,h6,f8",
            119,
            "a3-b4",
            Some(SixOrSevenPieces),
        ),
        ("official", "W:Wa3,c1,Ka1:BKb8,h6,f8", 118, "a3-b4", None),
        ("official", "W:Wa7,c1,Ka1:BKe1,h6,f8", 119, "a7-b8", None),
        ("official", "W:Wa3,c1,Ka1:Bb4,h6,Kf8", 119, "a3:c5", None),
        (
            "lidraughts",
            "W:WKa1,Kh2:BKc1,Kb8",
            59,
            "a1-b2",
            Some(FourOrFivePieces),
        ),
        // lidraughts with eight pieces or more.
        (
            "lidraughts",
            "W:Wg1,h2,a3,Ka1:Bh6,a7,f8,Kb8",
            29,
            "a1-b2",
            Some(ManyPieces),
        ),
        (
            "lidraughts",
            "W:Wg1,h2,a3,Ka1:Bh6,a7,f8,Kb8",
            29,
            "a3-b4",
            None,
        ),
        // One king each, if nothing can be taken.
        ("kings15", "W:WKa1:BKb8", 0, "a1-b2", Some(LoneKings)),
        ("kings15", "W:WKa1:BKh2", 0, "a1-e5", None),
        ("kings15", "W:WKa1:BKh2,h6", 0, "a1-b2", None),
        ("none", "W:WKa1:BKb8", 500, "a1-b2", None),
    ];
    for &(preset, fen, counted, text, expected) in cases {
        let start = position(fen);
        let mut game = Game::continued(start, preset.parse().expect("a preset"), counted);
        let mv = movetext::read(&start, text, Numbering::B8)
            .unwrap_or_else(|e| panic!("{preset} {fen}: {e}"));
        assert!(game.play(mv));
        let draw = match game.end() {
            Some(GameEnd::Draw(reason)) => Some(reason),
            _ => None,
        };
        assert_eq!(draw, expected, "{preset} {fen} {text} after {counted}");
    }
}

#[test]
fn a_win_on_the_last_allowed_move_is_a_win() {
    // Three kings against one under `official`: the 15th move of the strong side takes the king.
    for (rules, half_moves) in [("standard", 29), ("official", 29), ("club", 29)] {
        let start = position("W:WKa1,Kd8,Kf8:BKe5");
        let rules: DrawRules = rules.parse().expect("a preset");
        let mut game = Game::continued(start, rules.clone(), half_moves);
        let mv = movetext::read(&start, "a1:f6", Numbering::B8).expect("a capture");
        assert!(game.play(mv));
        assert_eq!(
            game.end(),
            Some(GameEnd::NoPieces(shashki::board::Side::Black))
        );
        // Any other last move is the draw (here: from a position without a capture).
        let quiet = position("W:WKa1,Kd8,Kf8:BKb8");
        let mut game = Game::continued(quiet, rules, half_moves);
        let mv = movetext::read(&quiet, "a1-b2", Numbering::B8).expect("legal");
        assert!(game.play(mv));
        assert!(matches!(game.end(), Some(GameEnd::Draw(_))));
    }
}

#[test]
fn blocked_on_the_last_allowed_move_is_a_win_too() {
    let start = position("W:Wb2,Kf4:Ba3");
    let play = |text| {
        let mut game = Game::continued(start, DrawRules::standard(), 29);
        let mv = movetext::read(&start, text, Numbering::B8).expect("legal");
        assert!(game.play(mv));
        game.end()
    };
    // The king shuts the man in: no move left, whatever the counter says.
    assert_eq!(
        play("f4-c1"),
        Some(GameEnd::NoMoves(shashki::board::Side::Black))
    );
    // Any other king move on that ply is the draw.
    assert_eq!(play("f4-e5"), Some(GameEnd::Draw(DrawReason::FifteenMoves)));
}

#[test]
fn threefold_needs_the_same_side_to_move_and_counts_the_start() {
    let moves = [
        "h2-g1", "b8-a7", "g1-h2", "a7-b8", "h2-g1", "b8-a7", "g1-h2", "a7-b8",
    ];
    let fen = "W:WKh2:BKb8";
    assert_eq!(
        first_draw(fen, &moves, "standard"),
        Some((8, DrawReason::Repetition))
    );
    assert_eq!(first_draw(fen, &moves[..7], "standard"), None);
    // Play goes on after the draw, and the question is asked anew of each position.
    let mut game = Game::new(position(fen), DrawRules::standard());
    for text in moves.iter().chain(&["h2-e5"]) {
        let mv = movetext::read(game.position(), text, Numbering::B8).expect("legal");
        assert!(game.play(mv));
    }
    assert_eq!(game.end(), None);
}

#[test]
fn a_lost_side_is_told_from_a_blocked_one() {
    use shashki::board::Side;
    let end = |fen| Game::new(position(fen), DrawRules::standard()).end();
    assert_eq!(end("W:W12:B3,8"), Some(GameEnd::NoMoves(Side::White)));
    assert_eq!(end("W:WK29:B22,25"), Some(GameEnd::NoMoves(Side::White)));
    assert_eq!(end("W:W:BK1"), Some(GameEnd::NoPieces(Side::White)));
    assert_eq!(end("B:W18:B"), Some(GameEnd::NoPieces(Side::Black)));
}

#[test]
fn preset_names_are_read_and_wrong_ones_refused() {
    for name in [
        "standard",
        "official",
        "lidraughts",
        "club",
        "kings15",
        "casual40",
        "none",
    ] {
        assert_eq!(name.parse::<DrawRules>().expect("known").name(), name);
    }
    assert_eq!(
        "Custom:25".parse::<DrawRules>().expect("known").name(),
        "custom:25"
    );
    for name in [
        "",
        "fide",
        "custom",
        "custom:",
        "custom:0",
        "custom:1001",
        "custom:-3",
    ] {
        let error = name.parse::<DrawRules>().expect_err("unknown");
        assert!(error.to_string().contains("standard"), "{error}");
    }
}
