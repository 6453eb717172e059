//! What long jobs have in common: they stop cleanly, use the processors, and show how far they are.

use anyhow::Result;
use indicatif::{ProgressBar, ProgressStyle};
use shashki::search::STACK;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

/// Becomes true when the user interrupts the program, which then ends at the next good place.
///
/// # Errors
/// The signal is taken already.
pub fn stop_flag() -> Result<Arc<AtomicBool>> {
    let stop = Arc::new(AtomicBool::new(false));
    let flag = stop.clone();
    ctrlc::set_handler(move || flag.store(true, Ordering::Relaxed))?;
    Ok(stop)
}

/// So many threads that can search; as many as processors if it is not said.
///
/// # Errors
/// There are no threads to be had.
pub fn searchers(threads: Option<usize>) -> Result<rayon::ThreadPool> {
    let pool = rayon::ThreadPoolBuilder::new()
        .num_threads(threads.unwrap_or(0))
        .stack_size(STACK);
    Ok(pool.build()?)
}

/// Progress of a job that goes on at `done`; the template is that of indicatif.
///
/// # Errors
/// The template is bad.
pub fn bar(done: u64, total: u64, template: &str) -> Result<ProgressBar> {
    let bar = ProgressBar::new(total);
    bar.set_style(ProgressStyle::with_template(template)?);
    bar.set_position(done);
    bar.reset_eta();
    bar.enable_steady_tick(Duration::from_millis(500));
    Ok(bar)
}
