//! The program: reads the arguments, does what they say, tells how it went.

use clap::Parser;
use shashki::cli::{self, args::Args};
use std::process::ExitCode;

fn main() -> ExitCode {
    // Standard output is the protocol; everything else goes to standard error, and of that only
    // what needs attention unless RUST_LOG asks for more.
    env_logger::Builder::from_env(env_logger::Env::default().default_filter_or("warn"))
        .target(env_logger::Target::Stderr)
        .init();
    cli::run(&Args::parse())
}
