//! `shashki perft`.

use crate::cli::args::PerftArgs;
use crate::notation::{Spelling, movetext};
use crate::protocol::output;
use crate::rules::perft::{divide, divide_parallel, perft};
use std::time::Instant;

pub(super) fn run(args: &PerftArgs) -> Result<(), String> {
    let position = super::position(args.fen.as_deref(), args.numbering)?;
    let pool = rayon::ThreadPoolBuilder::new()
        .num_threads(usize::from(args.threads))
        .stack_size(crate::search::STACK)
        .build()
        .map_err(|error| format!("cannot start {} threads: {error}", args.threads))?;
    let begun = Instant::now();
    let leaves = if args.divide || args.threads > 1 {
        let counts = if args.threads > 1 {
            pool.install(|| divide_parallel(&position, args.depth))
        } else {
            divide(&position, args.depth)
        };
        if args.divide {
            for &(mv, leaves) in &counts {
                let text = movetext::write_full(&position, mv, Spelling::Algebraic);
                output::line(&format!("{text}: {leaves}"));
            }
        }
        counts.iter().map(|(_, leaves)| leaves).sum::<u64>() + u64::from(args.depth == 0)
    } else {
        perft(&position, args.depth)
    };
    let time = begun.elapsed();
    let rate = leaves as f64 / time.as_secs_f64().max(1e-9) / 1e6;
    output::line(&format!(
        "perft {} = {leaves} in {:.3} s, {rate:.1} million a second",
        args.depth,
        time.as_secs_f64()
    ));
    Ok(())
}
