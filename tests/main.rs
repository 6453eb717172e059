//! All integration tests, in one program so that they link once.
#![allow(clippy::print_stdout, clippy::print_stderr)]

mod support;

mod draw;
mod movegen;
mod notation;
mod pdn;
mod perft;
mod properties;
mod zobrist;
