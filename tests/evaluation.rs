//! The evaluation: symmetry, sense, and the same value by every way.

use crate::support::engine::Engine;
use crate::support::{Random, position, random_placement, random_play};
use shashki::eval::{self, Accumulator, Network};
use shashki::rules::Position;
use shashki::score::Score;
use std::sync::OnceLock;

fn network() -> &'static Network {
    static NETWORK: OnceLock<Network> = OnceLock::new();
    NETWORK.get_or_init(Network::built_in)
}

fn evaluate(position: &Position) -> Score {
    eval::evaluate_fresh(network(), position)
}

/// Judges every position of a move tree, the accumulators brought along as in a search.
fn walk(position: &Position, accumulators: &mut [Accumulator], seen: &mut u64) {
    let Some((first, rest)) = accumulators.split_first_mut() else {
        return;
    };
    let value = eval::evaluate(network(), first, position);
    assert_eq!(value, evaluate(position), "{position:?}");
    *seen += 1;
    for mv in position.legal_moves() {
        walk(&position.play(mv), rest, seen);
    }
}

#[test]
fn values_brought_along_are_those_made_afresh() {
    let mut seen = 0;
    let mut accumulators = vec![Accumulator::new(network()); 7];
    for fen in [
        "W:W21-32:B1-12",
        "W:WKa1,Kc1,Ke1,g3:BKb8,Kd8,f6,Kh8",
        "B:Wd4,f4,a3,e3,b2,f2,h2,e1,g1:Bb8,d8,h8,g7,b6,d6,h6,a5,c5,h4",
        "W:Wa7,c7,Kg3:Bb2,h2,Ka1",
    ] {
        walk(&position(fen), &mut accumulators, &mut seen);
    }
    assert!(seen > 10_000, "{seen}");
}

#[test]
fn other_weights_are_used_and_bad_ones_refused() {
    let folder = tempfile::tempdir().expect("a folder");
    let (good, bad) = (folder.path().join("веса.nn"), folder.path().join("bad.nn"));
    let mut other = network().clone();
    other.scale *= 2;
    std::fs::write(&good, other.to_bytes()).expect("written");
    let mut damaged = network().to_bytes();
    damaged[1000] ^= 1;
    std::fs::write(&bad, damaged).expect("written");
    let mut engine = Engine::start(&[]);
    engine.say("position fen W:W21-32:B1-8,10-12");
    let mut score = |file: &str| {
        engine.say(&format!("setoption name EvalFile value {file}"));
        engine.say("isready");
        let said = engine.until("readyok");
        let refused = said
            .iter()
            .any(|line| line.starts_with("info string error: weights"));
        engine.say("eval");
        let value = engine.until("evaluation").pop().expect("a line");
        (refused, value)
    };
    let first = score("<empty>");
    let second = score(good.to_str().expect("UTF-8"));
    let third = score(bad.to_str().expect("UTF-8"));
    let fourth = score("no such file");
    assert!(!first.0 && !second.0 && third.0 && fourth.0);
    assert_ne!(first.1, second.1);
    assert_eq!((&third.1, &fourth.1), (&second.1, &second.1));
    assert_eq!(score("").1, first.1);
    // The same name, another file.
    let again = score(good.to_str().expect("UTF-8"));
    other.scale *= 2;
    std::fs::write(&good, other.to_bytes()).expect("written");
    let file = std::fs::File::options().write(true).open(&good);
    let later = std::time::SystemTime::now() + std::time::Duration::from_secs(10);
    file.and_then(|file| file.set_modified(later)).expect("set");
    let replaced = score(good.to_str().expect("UTF-8"));
    assert_eq!(again.1, second.1);
    assert_ne!(replaced.1, again.1);
}

#[test]
fn a_search_keeps_its_weights_and_the_next_one_has_the_new_ones() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("other.nn");
    let mut other = network().clone();
    other.scale *= 2;
    std::fs::write(&path, other.to_bytes()).expect("written");
    let mut engine = shashki::engine::Engine::new();
    let (told, heard) = std::sync::mpsc::channel();
    let limits = shashki::search::Limits {
        infinite: true,
        ..Default::default()
    };
    let done = move |report: shashki::search::Report| told.send(report.depth).expect("heard");
    let running = engine
        .go(limits, shashki::search::NoObserver, done)
        .expect("it starts");
    // So that the search has begun.
    std::thread::sleep(std::time::Duration::from_millis(200));
    let mut options = engine.options().clone();
    options.eval_file = Some(path);
    engine.set_options(options);
    engine.get_ready().expect("memory");
    assert_eq!(engine.network().scale, network().scale);
    running.stop();
    let second = std::time::Duration::from_secs(60);
    assert!(heard.recv_timeout(second).expect("an answer") > 0);
    engine.get_ready().expect("memory");
    assert_eq!(engine.network().scale, 2 * network().scale);
}

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
        // Far from the ends of its band, or it would mean nothing there.
        assert!(evaluate(&position).raw().abs() < 6_000);
    }
}

#[test]
fn a_man_is_worth_about_a_hundred_and_the_start_about_nothing() {
    let value = |fen| evaluate(&position(fen)).raw();
    assert!(value("W:W21-32:B1-12").abs() < 20);
    let man_up = value("W:W21-32:B1-8,10-12");
    assert!((80..140).contains(&man_up), "{man_up}");
    assert!(value("W:WKd2,c1,e1,g1:Bb8,d8,f8,h8") > 100);
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
