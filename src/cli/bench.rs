//! `shashki bench`.

use crate::cli::args::BenchArgs;
use crate::engine::bench;
use crate::protocol::output;

pub(super) fn run(args: &BenchArgs) -> Result<(), String> {
    let threads = usize::from(args.threads);
    let summary = bench::run(args.depth, threads, &args.rules, |line| {
        output::line(&format!(
            "{} nodes {} {}",
            line.fen, line.nodes, line.answer
        ));
    })
    .map_err(|error| error.to_string())?;
    summary.lines().iter().for_each(|line| output::line(line));
    Ok(())
}
