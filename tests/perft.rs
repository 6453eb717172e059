//! Counts of the move tree against `positions/perft.txt`.

use crate::support::{position, positions_lines};
use shashki::rules::perft::{divide_parallel, perft};

struct Case {
    fen: String,
    /// (depth, leaves)
    counts: Vec<(u32, u64)>,
}

fn cases() -> Vec<Case> {
    let parse = |line: String| {
        let mut fields = line.split(" ; ").map(str::to_owned);
        let fen = fields.next().expect("a FEN");
        let counts = fields.map(|field| {
            let (depth, n) = field
                .strip_prefix('D')
                .and_then(|f| f.split_once(' '))
                .expect("D n");
            (
                depth.parse().expect("a depth"),
                n.trim().parse().expect("a count"),
            )
        });
        Case {
            fen,
            counts: counts.collect(),
        }
    };
    positions_lines("perft.txt")
        .into_iter()
        .map(parse)
        .collect()
}

fn check(most_leaves: u64) -> usize {
    let mut checked = 0;
    for case in cases() {
        let position = position(&case.fen);
        for (depth, expected) in case.counts.into_iter().filter(|(_, n)| *n <= most_leaves) {
            assert_eq!(
                perft(&position, depth),
                expected,
                "{} depth {depth}",
                case.fen
            );
            checked += 1;
        }
    }
    checked
}

#[test]
fn trees_of_up_to_five_million_leaves() {
    assert_eq!(check(5_000_000), 243);
}

#[test]
#[ignore = "takes half a minute in a release build"]
fn all_trees() {
    assert_eq!(check(u64::MAX), 256);
}

#[test]
fn threads_count_the_same() {
    for case in cases().into_iter().take(3) {
        let position = position(&case.fen);
        for &(depth, expected) in case.counts.iter().filter(|(_, n)| *n <= 1_000_000) {
            let sum: u64 = divide_parallel(&position, depth)
                .iter()
                .map(|(_, n)| n)
                .sum();
            assert_eq!(sum, expected, "{} depth {depth}", case.fen);
        }
    }
}
