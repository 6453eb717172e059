//! `shashki bench`.

use crate::cli::args::BenchArgs;
use crate::engine::bench;
use crate::protocol::output;
use crate::search::STACK;

pub(super) fn run(args: &BenchArgs) -> Result<(), String> {
    let threads = usize::from(args.threads);
    let work = || {
        bench::run(args.depth, threads, &args.rules, |line| {
            output::line(&format!(
                "{} nodes {} {}",
                line.fen, line.nodes, line.answer
            ));
        })
    };
    let summary = std::thread::scope(|scope| {
        let thread = std::thread::Builder::new()
            .stack_size(STACK)
            .spawn_scoped(scope, work);
        thread.map(std::thread::ScopedJoinHandle::join)
    });
    let summary = match summary {
        Ok(Ok(summary)) => summary.map_err(|error| error.to_string())?,
        Ok(Err(_)) => return Err("the bench broke off".to_owned()),
        Err(error) => return Err(format!("cannot start a thread: {error}")),
    };
    summary.lines().iter().for_each(|line| output::line(line));
    Ok(())
}
