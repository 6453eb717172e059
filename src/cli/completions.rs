//! `shashki completions` and `shashki man`.

use crate::cli::args::Args;
use crate::protocol::output;
use clap::CommandFactory;
use clap_complete::Shell;
use std::path::Path;

pub(super) fn completions(shell: Shell) -> Result<(), String> {
    let mut script = Vec::new();
    clap_complete::generate(shell, &mut Args::command(), "shashki", &mut script);
    let script = String::from_utf8_lossy(&script);
    output::line(script.trim_end());
    Ok(())
}

pub(super) fn man(dir: &Path) -> Result<(), String> {
    let failed = |error: std::io::Error| format!("{}: {error}", dir.display());
    std::fs::create_dir_all(dir).map_err(failed)?;
    clap_mangen::generate_to(Args::command(), dir).map_err(failed)
}
