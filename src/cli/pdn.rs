//! `shashki pdn`.

use crate::analyse::pipeline;
use crate::cli::args::{
    EncodingArg, PdnArgs, PdnCommand, PdnConvertArgs, PdnInput, PdnSplitArgs, SquaresArg,
};
use crate::cli::games::{self, Found, Games, Output};
use crate::cli::think;
use crate::notation::pdn::{self, CaptureSign, Outcome, PdnGame, Replay};
use crate::notation::{Spelling, movetext};
use crate::protocol::output;
use crate::rules::{self, Position};
use encoding_rs::{Encoding, IBM866, WINDOWS_1251};
use serde_json::json;
use std::collections::{HashMap, HashSet};
use std::fs::OpenOptions;
use std::io::{self, Write};
use std::path::{Path, PathBuf};

/// Does it; gives how many games something is wrong with.
pub(super) fn run(args: &PdnArgs) -> Result<u64, String> {
    match &args.command {
        PdnCommand::Check { input, json } => check(input, *json),
        PdnCommand::Convert(args) => convert(args),
        PdnCommand::Split(args) => split(args),
        PdnCommand::Stats {
            input,
            plies,
            top,
            json,
        } => stats(input, *plies, *top, *json),
    }
}

/// Does something with every game, in parallel, and something with the results, in order.
fn each<R: Send>(
    input: &PdnInput,
    work: impl Fn(Found) -> R + Sync,
    result: impl FnMut(R, bool) -> io::Result<()>,
) -> Result<(), String> {
    let mut games = Games::open(&input.files, input.encoding)?;
    let threads = think::threads(input.threads);
    pipeline::run(move || games.next(), threads, work, result).map_err(|error| error.to_string())
}

/// Writes a line to standard output.
fn try_line(text: &str) -> io::Result<()> {
    output::try_line(text).inspect_err(games::give_up)
}

/// A fault of a game.
struct Fault {
    line: usize,
    ply: Option<usize>,
    what: String,
}

/// All that is wrong with a game, and how many plies it has.
fn faults(game: &PdnGame) -> (Vec<Fault>, usize) {
    let mut faults: Vec<Fault> = game
        .faults
        .iter()
        .map(|fault| Fault {
            line: fault.line,
            ply: None,
            what: fault.kind.to_string(),
        })
        .collect();
    let replay = match game.replay() {
        Ok(replay) => replay,
        Err(error) => {
            faults.push(Fault {
                line: error.line,
                ply: Some(error.ply),
                what: error.fault.to_string(),
            });
            return (faults, error.ply.saturating_sub(1));
        }
    };
    // Who has lost on the board has lost, whatever the file says.
    let won = rules::game::lost(&replay.end).map(|end| end.winner());
    let told = match game.outcome() {
        Outcome::WhiteWins => Some(Some(crate::board::Side::White)),
        Outcome::BlackWins => Some(Some(crate::board::Side::Black)),
        Outcome::Draw => Some(None),
        Outcome::NoPoints | Outcome::Unknown => None,
    };
    if let (Some(won), Some(told)) = (won, told)
        && won != told
        && !replay.moves.is_empty()
    {
        faults.push(Fault {
            line: game.line,
            ply: Some(replay.moves.len()),
            what: format!(
                "the result is {}, but {} has won on the board",
                game.outcome(),
                won.map_or("nobody".to_owned(), |side| side.to_string())
            ),
        });
    }
    (faults, replay.moves.len())
}

fn check(input: &PdnInput, json: bool) -> Result<u64, String> {
    let (mut games, mut bad, mut plies) = (0_u64, 0, 0);
    let work = |found: Found| {
        let (faults, plies) = faults(&found.game);
        (found.file, found.game.number, faults, plies)
    };
    each(input, work, |(file, number, faults, more), _| {
        games += 1;
        plies += more;
        bad += u64::from(!faults.is_empty());
        let file = file.display();
        for Fault { line, ply, what } in faults {
            try_line(&if json {
                json!({"file": file.to_string(), "game": number, "line": line, "ply": ply, "fault": what})
                    .to_string()
            } else {
                let ply = ply.map_or(String::new(), |ply| format!("ply {ply}: "));
                format!("{file}:{line}: game {number}: {ply}{what}")
            })?;
        }
        Ok(())
    })?;
    output::line(&if json {
        json!({"games": games, "plies": plies, "games_with_faults": bad}).to_string()
    } else {
        format!("{games} games, {plies} plies, {bad} games with faults")
    });
    Ok(bad)
}

/// What the reader could not make sense of, and so is not in what is written.
fn lost_in_reading(game: &PdnGame) -> Vec<String> {
    let faults = game.faults.iter();
    faults.map(|fault| format!("left out: {fault}")).collect()
}

/// Text in an encoding, and how many characters it does not have.
fn encoded(text: &str, encoding: EncodingArg) -> (Vec<u8>, usize) {
    let encoding: &Encoding = match encoding {
        EncodingArg::Detect | EncodingArg::Utf8 => return (text.as_bytes().to_vec(), 0),
        EncodingArg::Cp1251 => WINDOWS_1251,
        EncodingArg::Cp866 => IBM866,
    };
    let (bytes, _, lacking) = encoding.encode(text);
    if !lacking {
        return (bytes.into_owned(), 0);
    }
    // The encoder would write `&#9733;`, which nobody reads in a game file.
    let mut missing = 0;
    let mut bytes = Vec::with_capacity(text.len());
    let mut letter = [0; 4];
    for c in text.chars() {
        let (one, _, lacking) = encoding.encode(c.encode_utf8(&mut letter));
        missing += usize::from(lacking);
        bytes.extend_from_slice(if lacking { b"?" } else { &one });
    }
    (bytes, missing)
}

fn convert(args: &PdnConvertArgs) -> Result<u64, String> {
    let spelling = match args.squares {
        SquaresArg::Letters => Spelling::Algebraic,
        SquaresArg::Numbers => Spelling::Numeric(args.numbering),
    };
    let sign = match args.cross {
        true => CaptureSign::Cross,
        false => CaptureSign::Colon,
    };
    let mut output = Output::open(args.out.as_deref())?;
    let mut bad = 0;
    let work = |found: Found| {
        let mut told = lost_in_reading(&found.game);
        let text = match found.game.converted(spelling, sign) {
            Ok(converted) => {
                told.extend(
                    converted
                        .kept
                        .iter()
                        .map(|error| format!("a variation stays as it was: {error}")),
                );
                pdn::write(&converted.game)
            }
            Err(error) => {
                told.push(format!("stays as it was: {error}"));
                pdn::write(&found.game)
            }
        };
        let (bytes, missing) = encoded(&text, args.to_encoding);
        if missing > 0 {
            told.push(format!(
                "{missing} characters that the encoding does not have became ?"
            ));
        }
        let place = format!(
            "{}:{}: game {}",
            found.file.display(),
            found.game.line,
            found.game.number
        );
        (bytes, place, told)
    };
    each(&args.input, work, |(bytes, place, told), more| {
        bad += u64::from(!told.is_empty());
        told.iter().for_each(|what| log::warn!("{place}: {what}"));
        output.write(&bytes, more)
    })?;
    output.finish().map_err(|error| error.to_string())?;
    Ok(bad)
}

fn split(args: &PdnSplitArgs) -> Result<u64, String> {
    let failed = |path: &Path, error: &io::Error| format!("{}: {error}", path.display());
    std::fs::create_dir_all(&args.dir).map_err(|error| failed(&args.dir, &error))?;
    let (mut games, mut bad) = (0_u64, 0);
    // Files that this run has begun: others are not touched.
    let mut begun: HashSet<PathBuf> = HashSet::new();
    let work = |found: Found| {
        let name = file_name_by(&found.game, args.by.as_deref());
        let place = format!(
            "{}:{}: game {}",
            found.file.display(),
            found.game.line,
            found.game.number
        );
        (
            name,
            pdn::write(&found.game),
            place,
            lost_in_reading(&found.game),
        )
    };
    let mut problem = None;
    each(&args.input, work, |(name, text, place, told), _| {
        bad += u64::from(!told.is_empty());
        told.iter().for_each(|what| log::warn!("{place}: {what}"));
        let name = name.unwrap_or_else(|| format!("{:06}", games / u64::from(args.games) + 1));
        games += 1;
        let path = args.dir.join(name + ".pdn");
        let fresh = begun.insert(path.clone());
        let file = OpenOptions::new()
            .append(!fresh)
            .write(true)
            .create_new(fresh)
            .open(&path);
        file.and_then(|mut file| file.write_all(text.as_bytes()))
            .inspect_err(|error| problem = Some(failed(&path, error)))
    })
    .map_err(|error| problem.take().unwrap_or(error))?;
    output::line(&format!(
        "{games} games in {} files in {}",
        begun.len(),
        args.dir.display()
    ));
    Ok(bad)
}

/// The value of a tag as the name of a file; `None` if there is no tag to go by.
fn file_name_by(game: &PdnGame, tag: Option<&str>) -> Option<String> {
    let value = game.tag(tag?).unwrap_or("").trim();
    let safe = |c: char| {
        if c.is_alphanumeric() || " -_.,".contains(c) {
            c
        } else {
            '_'
        }
    };
    let name: String = value.chars().map(safe).take(80).collect();
    let name = name.trim().trim_start_matches('.');
    Some(if name.is_empty() {
        "no value".to_owned()
    } else {
        name.to_owned()
    })
}

/// Results of the games of an opening.
#[derive(Clone, Copy, Default)]
struct Tally {
    white: u64,
    draws: u64,
    black: u64,
    unknown: u64,
    plies: u64,
}

impl Tally {
    fn games(&self) -> u64 {
        self.white + self.draws + self.black + self.unknown
    }

    fn add(&mut self, outcome: Outcome, plies: usize) {
        *match outcome {
            Outcome::WhiteWins => &mut self.white,
            Outcome::BlackWins => &mut self.black,
            Outcome::Draw => &mut self.draws,
            Outcome::NoPoints | Outcome::Unknown => &mut self.unknown,
        } += 1;
        self.plies += plies as u64;
    }

    /// White's share of the points in per cent, `None` without a result.
    fn share(&self) -> Option<f64> {
        let known = self.white + self.draws + self.black;
        let points = self.white as f64 + self.draws as f64 / 2.0;
        (known > 0).then(|| 100.0 * points / known as f64)
    }
}

/// The first moves of a game, or that it begins elsewhere.
fn opening(replay: &Replay, plies: usize) -> String {
    if replay.start != Position::start() {
        return "from a position".to_owned();
    }
    let mut position = replay.start;
    let moves = replay.moves.iter().take(plies).map(|&mv| {
        let text = movetext::write_short(&position, mv, Spelling::Algebraic);
        position = position.play(mv);
        text
    });
    let moves: Vec<String> = moves.collect();
    if moves.is_empty() {
        "no moves".to_owned()
    } else {
        moves.join(" ")
    }
}

fn stats(input: &PdnInput, plies: usize, top: usize, json: bool) -> Result<u64, String> {
    let mut by_opening: HashMap<String, Tally> = HashMap::new();
    let (mut all, mut bad) = (Tally::default(), 0);
    let work = |found: Found| {
        let outcome = found.game.outcome();
        let replay = found.game.replay();
        replay.map(|replay| (opening(&replay, plies), outcome, replay.moves.len()))
    };
    each(input, work, |read, _| {
        match read {
            Err(_) => bad += 1,
            Ok((opening, outcome, plies)) => {
                all.add(outcome, plies);
                by_opening.entry(opening).or_default().add(outcome, plies);
            }
        }
        Ok(())
    })?;
    let mut openings: Vec<(String, Tally)> = by_opening.into_iter().collect();
    openings.sort_by(|a, b| (b.1.games(), &a.0).cmp(&(a.1.games(), &b.0)));
    let different = openings.len();
    openings.truncate(top);
    if json {
        let told = |tally: &Tally| {
            json!({"games": tally.games(), "white_wins": tally.white, "draws": tally.draws, "black_wins": tally.black,
                   "unknown": tally.unknown, "white_per_cent": tally.share(),
                   "mean_plies": tally.plies as f64 / tally.games().max(1) as f64})
        };
        let openings = openings
            .iter()
            .map(|(name, tally)| json!({"opening": name, "results": told(tally)}));
        let openings: Vec<_> = openings.collect();
        let told = json!({"all": told(&all), "unreadable": bad, "different_openings": different, "openings": openings});
        output::line(&told.to_string());
        return Ok(bad);
    }
    output::line(&format!(
        "{:>8} {:>8} {:>8} {:>8} {:>8} {:>7} {:>7}  opening",
        "games", "1-0", "1/2", "0-1", "*", "white%", "plies"
    ));
    let row = |name: &str, tally: &Tally| {
        let share = tally
            .share()
            .map_or("-".to_owned(), |share| format!("{share:.1}"));
        let mean = tally.plies as f64 / tally.games().max(1) as f64;
        format!(
            "{:>8} {:>8} {:>8} {:>8} {:>8} {share:>7} {mean:>7.1}  {name}",
            tally.games(),
            tally.white,
            tally.draws,
            tally.black,
            tally.unknown
        )
    };
    output::line(&row("all", &all));
    openings
        .iter()
        .for_each(|(name, tally)| output::line(&row(name, tally)));
    output::line(&format!(
        "{different} different openings of {plies} plies; {bad} games cannot be played"
    ));
    Ok(bad)
}
