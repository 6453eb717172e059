//! The program: reads the arguments, does what they say, tells how it went.

use clap::Parser;
use indicatif::MultiProgress;
use shashki::cli::{self, args::Args};
use std::io::{self, Write};
use std::process::ExitCode;

/// Standard error for diagnostics: what is drawn there of the progress makes way for them.
struct Diagnostics(MultiProgress);

impl Write for Diagnostics {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0.suspend(|| io::stderr().write(bytes))
    }

    fn flush(&mut self) -> io::Result<()> {
        io::stderr().flush()
    }
}

fn main() -> ExitCode {
    let progress = MultiProgress::new();
    let diagnostics = Diagnostics(progress.clone());
    // Standard output is the protocol; everything else goes to standard error, and of that only
    // what needs attention unless RUST_LOG asks for more.
    env_logger::Builder::from_env(env_logger::Env::default().default_filter_or("warn"))
        .target(env_logger::Target::Pipe(Box::new(diagnostics)))
        .init();
    cli::run(&Args::parse(), &progress)
}
