//! `shashki match`.

use crate::cli::args::{FormatArg, MatchArgs};
use crate::matches::sprt::Sprt;
use crate::matches::{
    Adjudication, DrawByScore, EngineSpec, Format, GameRecord, Match, Opening, Resignation,
    Standings, StopReason, Watcher, engines_from_toml, openings, report, run as play,
};
use crate::protocol::output;
use indicatif::{ProgressBar, ProgressStyle};
use std::fs::File;
use std::io::Write;
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

pub(super) fn run(args: &MatchArgs) -> Result<(), String> {
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
        bar: ProgressBar::hidden(),
        pdn: None,
        date: today(),
    };
    let outcome = play(&settings, &interrupted, &mut screen).map_err(|error| error.to_string())?;
    screen.bar.finish_and_clear();
    let (standings, sprt) = (&outcome.standings, settings.sprt.as_ref());
    if args.json {
        output::line(&report::table_json(&names, standings, sprt).to_string());
    } else {
        if outcome.reason == StopReason::Interrupted {
            output::line(&format!("interrupted after {} games", standings.games));
        }
        output::line(&report::table(&names, standings, sprt));
    }
    Ok(())
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
    let adjudication = Adjudication {
        draw: draw.transpose()?,
        resign: resign.transpose()?,
        max_moves: args.max_moves,
    };
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
    bar: ProgressBar,
    pdn: Option<File>,
    date: String,
}

impl Watcher for Screen<'_> {
    fn begin(&mut self, total: usize, played: &[GameRecord]) -> Result<(), String> {
        if let Some(path) = &self.args.pdn {
            self.pdn = Some(self.fresh_pdn(path, played)?);
        }
        // On standard error, and only if that is a terminal.
        self.bar = ProgressBar::new(total as u64);
        let template = "{wide_bar} {pos}/{len} games, {elapsed} (left {eta})\n{msg}";
        if let Ok(style) = ProgressStyle::with_template(template) {
            self.bar.set_style(style);
        }
        // A few games tell nothing of the time that the rest will take.
        self.bar.set_position(played.len() as u64);
        self.bar.reset_eta();
        if !played.is_empty() && !self.args.json && !self.args.quiet {
            output::line(&format!("{} games from the state file", played.len()));
        }
        Ok(())
    }

    fn game(&mut self, game: &GameRecord, standings: &Standings) -> Result<(), String> {
        if let (Some(file), Some(path)) = (&mut self.pdn, &self.args.pdn) {
            write_pdn(file, path, self.names, game, &self.date)?;
        }
        if self.args.json {
            let line = serde_json::to_string(game).map_err(|error| error.to_string())?;
            self.bar.suspend(|| output::line(&line));
        } else if !self.args.quiet {
            let line = report::game_line(self.names, game);
            self.bar.suspend(|| output::line(&line));
        }
        if !self.bar.is_hidden() {
            let table = report::table(self.names, standings, self.sprt.as_ref());
            self.bar.set_message(table);
        }
        self.bar.set_position(standings.games as u64);
        Ok(())
    }
}

impl Screen<'_> {
    /// The game file with the games that earlier runs have played: the state file knows better than
    /// a game file that may lack the last one. A file of other games is not touched.
    fn fresh_pdn(&self, path: &Path, played: &[GameRecord]) -> Result<File, String> {
        let failed = |error: std::io::Error| format!("{}: {error}", path.display());
        let continued = !played.is_empty();
        if !continued && std::fs::metadata(path).is_ok_and(|file| file.len() > 0) {
            return Err(format!("{} exists already", path.display()));
        }
        let folder = path
            .parent()
            .filter(|folder| !folder.as_os_str().is_empty());
        let temporary = tempfile::NamedTempFile::new_in(folder.unwrap_or(Path::new(".")));
        let mut temporary = temporary.map_err(failed)?;
        for game in played {
            write_pdn(temporary.as_file_mut(), path, self.names, game, &self.date)?;
        }
        temporary.persist(path).map_err(|error| failed(error.error))
    }
}

fn write_pdn(
    file: &mut File,
    path: &Path,
    names: &[String],
    game: &GameRecord,
    date: &str,
) -> Result<(), String> {
    let text = report::pdn(names, game, date).unwrap_or_default();
    let written = file.write_all(text.as_bytes()).and_then(|()| file.flush());
    written.map_err(|error| format!("{}: {error}", path.display()))
}

/// The date in the form of PDN, in UTC.
fn today() -> String {
    jiff::Timestamp::now().strftime("%Y.%m.%d").to_string()
}
