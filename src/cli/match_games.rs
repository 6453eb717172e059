//! `shashki match`.

use crate::cli::args::{FormatArg, MatchArgs};
use crate::matches::append::Appender;
use crate::matches::sprt::Sprt;
use crate::matches::{
    Adjudication, ByTables, DrawByScore, EngineSpec, Format, GameRecord, Match, Opening,
    Resignation, Standings, StopReason, Watcher, engines_from_toml, openings, report, run as play,
};
use crate::protocol::output;
use crate::tb::{self, Tables};
use indicatif::{MultiProgress, ProgressBar, ProgressStyle};
use std::fs::{File, OpenOptions};
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

pub(super) fn run(args: &MatchArgs, progress: &MultiProgress) -> Result<(), String> {
    let settings = resolve(args)?;
    let interrupted = Arc::new(AtomicBool::new(false));
    let flag = interrupted.clone();
    // A second interrupt ends the program where it stands; nothing finished is lost by it.
    let handler = move || {
        if flag.swap(true, Ordering::Relaxed) {
            std::process::exit(130);
        }
    };
    ctrlc::set_handler(handler).map_err(|error| format!("no way to be interrupted: {error}"))?;
    let names: Vec<String> = settings.engines.iter().map(|e| e.name.clone()).collect();
    let mut screen = Screen {
        args,
        names: &names,
        sprt: settings.sprt,
        progress,
        bar: ProgressBar::hidden(),
        pdn: None,
        date: today(),
        unprinted: None,
    };
    let outcome = play(&settings, &interrupted, &mut screen);
    screen.bar.finish_and_clear();
    let outcome = outcome.map_err(|error| error.to_string())?;
    let (standings, sprt) = (&outcome.standings, settings.sprt.as_ref());
    let result = if args.json {
        report::table_json(&names, standings, sprt).to_string()
    } else {
        if outcome.reason == StopReason::Interrupted {
            screen.print(&format!("interrupted after {} games", standings.games));
        }
        report::table(&names, standings, sprt)
    };
    screen.print(&result);
    // The result is out; what is missing elsewhere still makes the run a failed one.
    let mut missing: Vec<String> = outcome.unwritten.into_iter().collect();
    let pdn = screen.pdn.as_mut().map(Appender::finish);
    missing.extend(pdn.and_then(Result::err).map(|error| error.to_string()));
    if let Some(error) = screen.unprinted {
        // The one place that is left for it.
        missing.push(format!("standard output: {error}; the result is\n{result}"));
    }
    if missing.is_empty() {
        Ok(())
    } else {
        Err(missing.join("\n"))
    }
}

/// What was typed, with defaults filled in and files read.
fn resolve(args: &MatchArgs) -> Result<Match, String> {
    let each = &args.engines.each;
    let mut engines = Vec::new();
    if let Some(path) = &args.engines_file {
        let text = std::fs::read_to_string(path);
        let text = text.map_err(|error| format!("{}: {error}", path.display()))?;
        let found = engines_from_toml(&text, each);
        engines.extend(found.map_err(|error| format!("{}: {error}", path.display()))?);
    }
    for own in &args.engines.engines {
        let words = each.iter().chain(own).map(String::as_str);
        engines.push(EngineSpec::from_words(words).map_err(|error| error.to_string())?);
    }
    let openings = match &args.openings {
        None => vec![Opening::none()],
        Some(source) => {
            openings::load(source).map_err(|error| format!("openings {source}: {error}"))?
        }
    };
    Ok(Match {
        engines,
        format: match args.format {
            FormatArg::RoundRobin => Format::RoundRobin,
            FormatArg::Gauntlet => Format::Gauntlet,
        },
        rounds: args.pairs as usize,
        openings,
        seed: args.shuffle,
        rules: args.rules.clone(),
        adjudication: adjudication(args)?,
        concurrency: usize::from(args.concurrency),
        sprt: args.sprt.as_deref().map(sprt).transpose()?,
        state: args.state.clone(),
    })
}

fn adjudication(args: &MatchArgs) -> Result<Adjudication, String> {
    let draw = args.draw.as_deref().map(|words| {
        let mut values = Values::read("--draw", words, &["from", "moves", "score"])?;
        Ok::<_, String>(DrawByScore {
            from_move: values.take("from", 1)?,
            moves: values.take("moves", 8)?,
            score: values.take("score", 10)?,
        })
    });
    let resign = args.resign.as_deref().map(|words| {
        let mut values = Values::read("--resign", words, &["moves", "score", "two-sided"])?;
        Ok::<_, String>(Resignation {
            moves: values.take("moves", 4)?,
            score: values.take("score", 500)?,
            two_sided: values.take("two-sided", false)?,
        })
    });
    let tables = args.tables.as_ref().map(|folders| by_tables(folders));
    let adjudication = Adjudication {
        tables: tables.transpose()?,
        draw: draw.transpose()?,
        resign: resign.transpose()?,
        max_moves: args.max_moves,
    };
    if adjudication.draw.is_some_and(|draw| draw.score < 0)
        || adjudication.resign.is_some_and(|resign| resign.score <= 0)
    {
        return Err(
            "score is a number of centi-men above zero in --resign, not below it in --draw"
                .to_owned(),
        );
    }
    let moves = adjudication.draw.map(|draw| draw.moves);
    let moves = moves
        .into_iter()
        .chain(adjudication.resign.map(|resign| resign.moves));
    if moves
        .into_iter()
        .any(|moves| moves == 0 || moves > 1_000_000)
    {
        return Err("moves must be from 1 to 1000000 in --draw and --resign".to_owned());
    }
    Ok(adjudication)
}

fn by_tables(folders: &[PathBuf]) -> Result<ByTables, String> {
    let tables = Tables::open(folders, tb::DEFAULT_CACHE_MIB);
    // A match that was to be played with tables is not begun without some of them.
    if let Some(complaint) = tables.take_complaints().first() {
        return Err(complaint.to_string());
    }
    if tables.most_pieces() == 0 {
        return Err("--tables: none are built in, so folders must be named".to_owned());
    }
    Ok(ByTables {
        tables: Arc::new(tables),
        folders: folders.to_vec(),
    })
}

fn sprt(words: &[String]) -> Result<Sprt, String> {
    let mut values = Values::read("--sprt", words, &["elo0", "elo1", "alpha", "beta"])?;
    let sprt = Sprt {
        elo0: values.take("elo0", 0.0)?,
        elo1: values.take("elo1", 5.0)?,
        alpha: values.take("alpha", 0.05)?,
        beta: values.take("beta", 0.05)?,
    };
    let risk = |risk: f64| risk > 0.0 && risk < 0.5;
    let elo = |elo: f64| elo.abs() < 2000.0;
    if !(elo(sprt.elo0) && elo(sprt.elo1) && sprt.elo0 < sprt.elo1) {
        return Err("--sprt needs elo0 below elo1".to_owned());
    }
    if !(risk(sprt.alpha) && risk(sprt.beta)) {
        return Err("--sprt needs alpha and beta between 0 and 0.5".to_owned());
    }
    Ok(sprt)
}

/// The `key=value` words of one flag.
struct Values<'a> {
    flag: &'static str,
    pairs: Vec<(&'a str, &'a str)>,
}

impl<'a> Values<'a> {
    fn read(flag: &'static str, words: &'a [String], keys: &[&str]) -> Result<Values<'a>, String> {
        let mut pairs = Vec::new();
        for word in words {
            let pair = word.split_once('=').filter(|(key, _)| keys.contains(key));
            let keys = keys.join(", ");
            pairs
                .push(pair.ok_or_else(|| format!("{flag} takes {keys} with =, found \"{word}\""))?);
        }
        Ok(Values { flag, pairs })
    }

    fn take<T: std::str::FromStr>(&mut self, key: &str, default: T) -> Result<T, String> {
        match self.pairs.iter().rfind(|(known, _)| *known == key) {
            None => Ok(default),
            Some((_, value)) => {
                let bad = || format!("bad value \"{value}\" for {key} of {}", self.flag);
                value.parse().map_err(|_| bad())
            }
        }
    }
}

/// Shows how a match goes, and writes its games.
struct Screen<'a> {
    args: &'a MatchArgs,
    names: &'a [String],
    sprt: Option<Sprt>,
    progress: &'a MultiProgress,
    bar: ProgressBar,
    pdn: Option<Appender>,
    date: String,
    /// Why standard output lacks something.
    unprinted: Option<io::Error>,
}

impl Watcher for Screen<'_> {
    fn begin(&mut self, total: usize, played: &[GameRecord]) -> Result<(), String> {
        if let Some(path) = &self.args.pdn {
            let file = self.game_file(path, played);
            self.pdn = Some(file.map_err(|error| format!("{}: {error}", path.display()))?);
        }
        // On standard error, and only if that is a terminal.
        self.bar = self.progress.add(ProgressBar::new(total as u64));
        let template = "{wide_bar} {pos}/{len} games, {elapsed} (left {eta})\n{msg}";
        if let Ok(style) = ProgressStyle::with_template(template) {
            self.bar.set_style(style);
        }
        // A few games tell nothing of the time that the rest will take.
        self.bar.set_position(played.len() as u64);
        self.bar.reset_eta();
        // Time goes on while no game ends.
        self.bar.enable_steady_tick(Duration::from_secs(1));
        if !played.is_empty() && !self.args.json && !self.args.quiet {
            self.print(&format!("{} games from the state file", played.len()));
        }
        Ok(())
    }

    fn game(&mut self, game: &GameRecord, standings: &Standings) -> Result<(), String> {
        if let Some(file) = &mut self.pdn {
            file.add_or_warn(pdn_text(self.names, game, &self.date).as_bytes());
        }
        if self.args.quiet {
            // The table at the end is all.
        } else if self.args.json {
            let line = serde_json::to_string(game).map_err(|error| error.to_string())?;
            self.print(&line);
        } else {
            self.print(&report::game_line(self.names, game));
        }
        self.bar.set_position(standings.games as u64);
        if !self.bar.is_hidden() {
            let table = report::table(self.names, standings, self.sprt.as_ref());
            self.bar.set_message(table);
        }
        Ok(())
    }
}

impl Screen<'_> {
    /// Prints a line on standard output. The match does not end for want of a listener: it has files.
    fn print(&mut self, line: &str) {
        // Nothing may be logged while the progress is away.
        let printed = self.bar.suspend(|| output::try_line(line));
        if let Err(error) = printed
            && self.unprinted.is_none()
        {
            log::warn!("standard output: {error}; the match goes on");
            self.unprinted = Some(error);
        }
    }

    /// The game file with the games that earlier runs have played: the state file knows better than
    /// a game file that may lack the last one. A file of other games is not touched.
    fn game_file(&self, path: &Path, played: &[GameRecord]) -> io::Result<Appender> {
        let games = played
            .iter()
            .map(|game| pdn_text(self.names, game, &self.date));
        let games: String = games.collect();
        let about = std::fs::metadata(path).ok();
        if about.as_ref().is_some_and(|about| !about.is_file()) {
            // A device or a pipe is written to, not replaced.
            let mut file = OpenOptions::new().append(true).open(path)?;
            file.write_all(games.as_bytes())?;
            return Appender::new(path, file, false);
        }
        if about.is_some_and(|about| about.len() > 0) {
            let there = std::fs::read(path)?;
            if played.is_empty() || !same_games(&String::from_utf8_lossy(&there), &games) {
                let error = "exists already and has other games";
                return Err(io::Error::new(io::ErrorKind::AlreadyExists, error));
            }
            // Where the name is a link, the file behind it is the one to replace.
            let path = path.canonicalize()?;
            let folder = path.parent().unwrap_or(Path::new("."));
            let mut temporary = tempfile::NamedTempFile::new_in(folder)?;
            temporary.write_all(games.as_bytes())?;
            let file = File::open(&path)?;
            temporary
                .as_file()
                .set_permissions(file.metadata()?.permissions())?;
            temporary.persist(&path).map_err(|error| error.error)?;
        }
        let mut options = OpenOptions::new();
        let file = options.append(true).create(true).open(path)?;
        let is_new = file.metadata()?.len() == 0;
        let mut file = Appender::new(path, file, false)?;
        if is_new {
            file.add(games.as_bytes())
                .map_err(|unwritten| unwritten.error)?;
        }
        Ok(file)
    }
}

/// Whether one text has the games of the other and maybe more, on whatever day it was written. A last
/// line without an end does not count.
fn same_games(one: &str, other: &str) -> bool {
    fn lines(text: &str) -> impl Iterator<Item = &str> {
        let whole = text.rfind('\n').and_then(|end| text.get(..end));
        let lines = whole.unwrap_or("").lines();
        lines.filter(|line| !line.starts_with("[Date "))
    }
    lines(one)
        .zip(lines(other))
        .all(|(one, other)| one == other)
}

fn pdn_text(names: &[String], game: &GameRecord, date: &str) -> String {
    report::pdn(names, game, date).unwrap_or_default()
}

/// The date in the form of PDN, in UTC.
pub(super) fn today() -> String {
    jiff::Timestamp::now().strftime("%Y.%m.%d").to_string()
}
