//! Micro-benchmarks of endgame tables: 1,000 random positions of four pieces, or of up to six with the
//! tables in the folder that SHASHKI_TABLES names.

use divan::counter::ItemsCount;
use divan::{Bencher, black_box};
use shashki::rules::{Position, movegen};
use shashki::tb::Tables;
use std::path::PathBuf;

const POSITIONS: usize = 1000;

fn main() {
    divan::main();
}

fn open(cache_mib: usize) -> Tables {
    let folder = std::env::var_os("SHASHKI_TABLES").map(PathBuf::from);
    Tables::open(folder.as_slice(), cache_mib)
}

fn positions(most: u8) -> Vec<Position> {
    let mut random = fastrand::Rng::with_seed(1);
    let mut found = Vec::new();
    while found.len() < POSITIONS {
        let pieces = random.u8(4..=most.max(4));
        let position = tools::random::position(&mut random, pieces);
        found.extend(position.filter(|position| !movegen::has_capture(position)));
    }
    found
}

fn probe_all(tables: &Tables, positions: &[Position]) -> usize {
    let probe = |position: &&Position| tables.probe_quiet(black_box(position)).is_some();
    positions.iter().filter(probe).count()
}

/// All blocks are open.
#[divan::bench(threads = [1, 2])]
fn warm(bencher: Bencher<'_, '_>) {
    let tables = open(1024);
    let positions = positions(tables.most_pieces());
    probe_all(&tables, &positions);
    bencher
        .counter(ItemsCount::new(POSITIONS))
        .bench(|| probe_all(&tables, &positions));
}

/// Hardly any block is open.
#[divan::bench]
fn cold(bencher: Bencher<'_, '_>) {
    let tables = open(0);
    let positions = positions(tables.most_pieces());
    bencher
        .counter(ItemsCount::new(POSITIONS))
        .bench(|| probe_all(&tables, &positions));
}
