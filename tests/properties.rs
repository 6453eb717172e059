//! Properties that hold for every position and every text.

use crate::support::{Random, random_placement, random_play, triple};
use proptest::prelude::*;
use shashki::board::geometry::{RANK_8, RANKS};
use shashki::notation::{Numbering, Spelling, fen, movetext};
use shashki::rules::movegen::Noise;
use shashki::rules::perft::visit;
use shashki::rules::{DrawRules, Game, Move, Position, movegen};
use std::collections::BTreeSet;

fn any_position() -> impl Strategy<Value = Position> {
    (any::<u64>(), any::<bool>()).prop_map(|(seed, placed)| {
        let mut random = Random::new(seed);
        if placed {
            random_placement(&mut random)
        } else {
            random_play(&mut random, 80)
        }
    })
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 3000, failure_persistence: None, ..Default::default() })]

    #[test]
    fn flipping_colors_flips_the_moves(position in any_position()) {
        let flip = |mv: Move| (mv.from().flip(), mv.to().flip(), mv.captured().flip().bits());
        let ours: BTreeSet<_> = position.legal_moves().into_iter().map(flip).collect();
        let theirs: BTreeSet<_> =
            position.color_flipped().legal_moves().into_iter().map(triple).collect();
        prop_assert_eq!(ours, theirs);
        prop_assert_eq!(position.color_flipped().color_flipped(), position);
    }

    #[test]
    fn a_move_leaves_a_legal_position_with_the_right_key(position in any_position()) {
        for mv in position.legal_moves() {
            let after = position.play(mv);
            prop_assert_eq!(after.key(), after.fresh_key());
            prop_assert_eq!(after.to_setup().validate(), Ok(after));
            prop_assert_eq!(after.side(), !position.side());
            let taken = position.occupied().count() - after.occupied().count();
            prop_assert_eq!(taken, mv.captured().count());
            // The captured set tells by itself whether a man was crowned (the triple is enough).
            if !mv.is_by_king() && mv.is_capture() {
                let row = position.side().promotion_row();
                let below = if row == RANK_8 { RANKS[6] } else { RANKS[1] };
                prop_assert_eq!(mv.crowns(), (mv.captured() & below).any());
            }
        }
    }

    #[test]
    fn compact_moves_mix_up_nothing_but_captures_with_the_same_ends(position in any_position()) {
        let moves = position.legal_moves();
        for (i, a) in moves.iter().enumerate() {
            prop_assert!(!a.compact().is_none());
            for b in &moves[i + 1..] {
                let same_ends = a.is_capture() && a.from() == b.from() && a.to() == b.to();
                prop_assert!(a.compact() != b.compact() || same_ends);
            }
        }
    }

    #[test]
    fn noisy_moves_are_the_captures_or_the_crownings(position in any_position()) {
        let mut list = shashki::rules::MoveList::new();
        let noise = movegen::generate_noisy(&position, &mut list);
        let ours: BTreeSet<_> = list.into_iter().map(triple).collect();
        let all = position.legal_moves();
        let expected: BTreeSet<_> = all
            .iter()
            .filter(|mv| mv.is_capture() || mv.crowns())
            .map(|&mv| triple(mv))
            .collect();
        prop_assert_eq!(ours, expected);
        let right = match noise {
            Noise::Captures => all.iter().all(|mv| mv.is_capture()) && !all.is_empty(),
            Noise::Quiet => all.iter().all(|mv| !mv.is_capture()) && !all.is_empty(),
            Noise::Lost => all.is_empty(),
        };
        prop_assert!(right, "{:?}", noise);
    }

    #[test]
    fn what_is_written_is_read_back(position in any_position()) {
        for spelling in [
            Spelling::Algebraic,
            Spelling::Numeric(Numbering::B8),
            Spelling::Numeric(Numbering::A1),
        ] {
            let numbering = match spelling {
                Spelling::Numeric(numbering) => numbering,
                Spelling::Algebraic => Numbering::B8,
            };
            let text = fen::write(&position, spelling);
            prop_assert_eq!(fen::read(&text, numbering).map(|fen| fen.position), Ok(position));
            for mv in position.legal_moves() {
                let full = movetext::write_full(&position, mv, spelling);
                prop_assert_eq!(movetext::read(&position, &full, numbering), Ok(mv), "{}", full);
                let short = movetext::write_short(&position, mv, spelling);
                prop_assert_eq!(movetext::read(&position, &short, numbering), Ok(mv), "{}", short);
            }
        }
        for mv in position.legal_moves() {
            for numbering in [Numbering::B8, Numbering::A1] {
                let hub = movetext::write_hub(mv, numbering);
                prop_assert_eq!(movetext::read_hub(&position, &hub, numbering), Some(mv));
            }
        }
        let hub = fen::write_hub(&position);
        prop_assert_eq!(fen::read(&hub, Numbering::B8).map(|fen| fen.position), Ok(position));
    }

    #[test]
    fn readers_survive_any_text(text in "\\PC{0,60}", position in any_position()) {
        let _ = fen::read(&text, Numbering::B8);
        let _ = movetext::read(&position, &text, Numbering::A1);
        let _ = movetext::read_hub(&position, &text, Numbering::B8);
    }

    #[test]
    fn readers_survive_text_that_looks_right(
        text in "[WB]:[WBwb]?[K]?[a-h0-9,K:.-]{0,40}",
        mv in "[a-hA-H0-9:x-]{0,12}",
        position in any_position(),
    ) {
        let _ = fen::read(&text, Numbering::B8);
        if let Ok(read) = movetext::read(&position, &mv, Numbering::B8) {
            prop_assert!(position.legal_moves().contains(&read));
        }
    }

    #[test]
    fn a_game_undoes_what_it_plays(seed in any::<u64>()) {
        let mut random = Random::new(seed);
        let mut game = Game::new(Position::start(), DrawRules::official());
        let fresh = game.clone();
        for _ in 0..60 {
            let moves = game.position().legal_moves();
            if moves.is_empty() {
                break;
            }
            prop_assert!(game.play(moves[random.below(moves.len())]));
        }
        while game.undo().is_some() {}
        prop_assert_eq!(game.position(), fresh.position());
        prop_assert_eq!(game.clock(), fresh.clock());
    }
}

#[test]
fn keys_stay_right_at_every_node_of_a_tree() {
    let mut nodes = 0;
    for fen in [
        "W:WKa1,Kh2,g1:Bb2,b4,b6,d4,d6,e3,f6,g3,g5,Kh8",
        "W:Wb6:Bc7,e7,g5,d2,Kf2,Kh2",
    ] {
        visit(&crate::support::position(fen), 5, &mut |position| {
            assert_eq!(position.key(), position.fresh_key());
            nodes += 1;
        });
    }
    assert!(nodes > 20_000);
}

#[test]
fn positions_and_moves_are_small() {
    assert_eq!(size_of::<Position>(), 24);
    assert_eq!(size_of::<Option<Move>>(), 8);
}
