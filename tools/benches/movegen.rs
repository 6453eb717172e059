//! Micro-benchmarks of the generator and of what the search does most.
//!
//! `cargo bench -p tools`; compare with the numbers of the commit before on the same idle machine.

use divan::counter::ItemsCount;
use divan::{Bencher, black_box};
use shashki::eval::{Accumulator, Network, evaluate, evaluate_fresh};
use shashki::notation::{Numbering, fen};
use shashki::rules::perft::perft;
use shashki::rules::{MoveList, Position, movegen};

const START: &str = "W:W21-32:B1-12";
const KINGS: &str = "W:WKa1,Kc1,Ke1,Kg1:BKb8,Kd8,Kf8,Kh8";
const MIDDLE: &str = "B:Wd4,f4,a3,e3,b2,f2,h2,e1,g1:Bb8,d8,h8,g7,b6,d6,h6,a5,c5,h4";
const CAPTURES: &str = "W:WKa1,Kh2,g1:Bb2,b4,b6,d4,d6,e3,f6,g3,g5,Kh8";

fn main() {
    divan::main();
}

fn position(text: &str) -> Position {
    fen::read(text, Numbering::B8).expect("a good FEN").position
}

#[divan::bench(args = [(START, 8), (KINGS, 5), (MIDDLE, 8), (CAPTURES, 6)])]
fn perft_leaves(bencher: Bencher<'_, '_>, (fen, depth): (&str, u32)) {
    let position = position(fen);
    bencher
        .counter(ItemsCount::new(perft(&position, depth)))
        .bench(|| perft(black_box(&position), depth));
}

#[divan::bench(args = [START, KINGS, MIDDLE, CAPTURES])]
fn generate(bencher: Bencher<'_, '_>, fen: &str) {
    let position = position(fen);
    bencher.bench(|| {
        let mut list = MoveList::new();
        movegen::generate(black_box(&position), &mut list);
        list.len()
    });
}

#[divan::bench(args = [START, KINGS, MIDDLE, CAPTURES])]
fn has_capture(bencher: Bencher<'_, '_>, fen: &str) {
    let position = position(fen);
    bencher.bench(|| movegen::has_capture(black_box(&position)));
}

#[divan::bench(args = [START, KINGS, MIDDLE, CAPTURES])]
fn play(bencher: Bencher<'_, '_>, fen: &str) {
    let position = position(fen);
    let mv = position.legal_moves()[0];
    bencher.bench(|| black_box(&position).play(black_box(mv)));
}

#[divan::bench(args = [START, KINGS, MIDDLE, CAPTURES])]
fn value_fresh(bencher: Bencher<'_, '_>, fen: &str) {
    let (position, network) = (position(fen), Network::built_in());
    bencher.bench(|| evaluate_fresh(&network, black_box(&position)));
}

/// Back and forth between two moves, as siblings in a search are.
#[divan::bench(args = [START, KINGS, MIDDLE, CAPTURES])]
fn value_of_siblings(bencher: Bencher<'_, '_>, fen: &str) {
    let (position, network) = (position(fen), Network::built_in());
    let moves = position.legal_moves();
    let siblings = [moves[0], moves[moves.len() - 1]].map(|mv| position.play(mv));
    let mut accumulator = Accumulator::new(&network);
    bencher.counter(ItemsCount::new(2_usize)).bench_local(|| {
        siblings.map(|sibling| evaluate(&network, &mut accumulator, black_box(&sibling)))
    });
}
