//! `shashki annotate`.

use crate::analyse::{Analysts, pipeline};
use crate::annotate::{self, GameReport, Reviewer};
use crate::cli::args::{AnnotateArgs, AnnotateFormat, EncodingArg};
use crate::cli::games::{Found, Games, Output};
use crate::cli::{book, think};
use crate::notation::Spelling;
use crate::notation::pdn::{self, PdnGame};
use indicatif::{HumanCount, MultiProgress, ProgressBar, ProgressStyle};
use std::io;
use std::path::PathBuf;
use std::time::Duration;

/// Nodes for each move where there is no other limit.
const NODES: u64 = 200_000;

/// Judges all games; gives how many could not be played to their end.
pub(super) fn run(args: &AnnotateArgs, progress: &MultiProgress) -> Result<u64, String> {
    let threads = think::threads(args.think.threads);
    let setting = think::setting(&args.think, NODES, 1, 1)?;
    let book = book::read(args.book.as_deref())?;
    let bar = progress.add(ProgressBar::no_length());
    if let Ok(style) = ProgressStyle::with_template("{spinner} {msg}  {elapsed}") {
        bar.set_style(style);
    }
    let mut games = Games::open(&args.files, EncodingArg::Detect)?;
    let told = |error: io::Error| error.to_string();
    let analysts = Analysts::new(&setting, threads).map_err(told)?;
    let mut pages = Vec::new();
    let mut output = Output::open(args.out.as_deref())?;
    let (mut judged, mut failed) = (0_u64, 0);
    bar.enable_steady_tick(Duration::from_millis(500));
    let html = args.format == AnnotateFormat::Html;
    let work = |Found { file, game }: Found| {
        let numeric = game
            .moves()
            .next()
            .is_some_and(|text| text.starts_with(|c: char| c.is_ascii_digit()));
        // The page knows one numbering only.
        let spelling = match numeric && !html {
            true => Spelling::Numeric(game.numbering()),
            false => Spelling::Algebraic,
        };
        let report = analysts.with(|analyst| {
            let mut reviewer = Reviewer {
                analyst,
                limits: &setting.limits,
                book: &book,
                rules: &args.think.rules,
                spelling,
            };
            reviewer.review(&game)
        });
        (file, game, report)
    };
    let result = |(file, game, report): (PathBuf, PdnGame, GameReport), more: bool| {
        judged += 1;
        bar.set_message(format!("{} games", HumanCount(judged)));
        if let Some(error) = &report.error {
            failed += 1;
            log::warn!("{}: {error}", file.display());
        }
        match args.format {
            AnnotateFormat::Html => pages.push(report),
            AnnotateFormat::Json => {
                let line = serde_json::to_string(&report).map_err(io::Error::other)?;
                output.write((line + "\n").as_bytes(), more)?;
            }
            AnnotateFormat::Pdn => {
                let text = pdn::write(&annotate::annotated(&game, &report));
                output.write(text.as_bytes(), more)?;
            }
        }
        Ok(())
    };
    let done = pipeline::run(move || games.next(), threads, work, result);
    bar.finish_and_clear();
    let done = done.and_then(|()| {
        if html {
            let page = annotate::page(&pages).map_err(io::Error::other)?;
            output.write(page.as_bytes(), false)?;
        }
        output.finish()
    });
    done.map(|()| failed).map_err(|error| error.to_string())
}
