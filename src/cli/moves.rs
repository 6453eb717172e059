//! `shashki moves`.

use crate::cli::args::MovesArgs;
use crate::notation::{Spelling, movetext};
use crate::protocol::output;

pub(super) fn run(args: &MovesArgs) -> Result<(), String> {
    let position = super::position(args.fen.as_deref(), args.numbering)?;
    let lines = movetext::list(&position, Spelling::Algebraic);
    lines.iter().for_each(|line| output::line(line));
    Ok(())
}
