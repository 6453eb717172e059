//! Micro-benchmarks of the readers.
//!
//! `cargo bench -p tools --bench notation`.

use divan::Bencher;
use divan::counter::BytesCount;
use shashki::notation::pdn::Reader;

const GAMES: &[u8] = include_bytes!("../../positions/pdn/generated_2000_random.pdn");

fn main() {
    divan::main();
}

#[divan::bench]
fn read_games(bencher: Bencher<'_, '_>) {
    bencher
        .counter(BytesCount::of_slice(GAMES))
        .bench(|| Reader::new(GAMES).count());
}

#[divan::bench]
fn read_and_replay_games(bencher: Bencher<'_, '_>) {
    bencher.counter(BytesCount::of_slice(GAMES)).bench(|| {
        Reader::new(GAMES)
            .filter(|game| game.as_ref().is_ok_and(|g| g.replay().is_ok()))
            .count()
    });
}
