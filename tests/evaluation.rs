//! The hand-written evaluation: symmetry and sense.

use crate::support::{Random, position, random_placement, random_play};
use shashki::eval::evaluate;

#[test]
fn both_colors_are_judged_alike() {
    let mut random = Random::new(11);
    for i in 0..20_000 {
        let position = if i % 2 == 0 {
            random_placement(&mut random)
        } else {
            random_play(&mut random, 90)
        };
        assert_eq!(
            evaluate(&position),
            evaluate(&position.color_flipped()),
            "{position:?}"
        );
        assert!(!evaluate(&position).is_decided());
    }
}

#[test]
fn a_man_is_worth_about_a_hundred_and_the_start_about_nothing() {
    let value = |fen| evaluate(&position(fen)).raw();
    assert!(value("W:W21-32:B1-12").abs() < 20);
    let man_up = value("W:W21-32:B1-8,10-12");
    assert!((80..140).contains(&man_up), "{man_up}");
    assert!(value("W:WKd2,c1,e1:Bb8,d8,f8") > 150);
}

#[test]
fn known_draws_are_not_judged_as_wins() {
    for fen in [
        // Three kings against one on the main road; two kings against one.
        "W:WKc7,Kh6,Kc1:BKc3",
        "B:WKc7,Kh6,Kc1:BKc3",
        "W:WKb8,Kf8:BKa1",
    ] {
        let value = evaluate(&position(fen)).raw();
        assert!(value.abs() < 60, "{fen}: {value}");
    }
}
