//! What the developer programs share.

pub mod games;
pub mod long_job;
pub mod random;
pub mod records;
pub mod training;

/// Does work that searches, in a thread with the stack that takes.
///
/// # Errors
/// Those of the work; there is no thread; the work broke off.
pub fn with_stack(
    work: impl FnOnce() -> anyhow::Result<()> + Send + 'static,
) -> anyhow::Result<()> {
    let thread = std::thread::Builder::new()
        .stack_size(shashki::search::STACK)
        .spawn(work)?;
    thread.join().map_err(|_| anyhow::anyhow!("it broke off"))?
}
