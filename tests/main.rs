//! All integration tests, in one program so that they link once.
#![allow(clippy::print_stdout, clippy::print_stderr)]

mod support;

mod analyse;
mod annotate;
mod architecture;
mod book;
mod calibration;
mod cli;
mod commands;
mod draw;
mod draw_leaks;
mod endings;
mod evaluation;
mod games;
mod hub;
mod matches;
mod movegen;
mod notation;
mod pdn;
mod perft;
mod properties;
mod search;
mod tables;
mod uci;
mod zobrist;
