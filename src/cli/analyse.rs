//! `shashki analyse`.

use crate::analyse::{self, Answer, Format, Progress, Question, Reader, What};
use crate::cli::args::{AnalyseArgs, InputArg};
use crate::cli::{games, think};
use crate::notation::{Numbering, Spelling, fen};
use crate::protocol::{input, output};
use crate::rules::DrawRules;
use indicatif::{HumanCount, MultiProgress, ProgressBar, ProgressStyle};
use std::fs::{File, OpenOptions};
use std::io::{self, BufRead, BufReader, BufWriter, Seek, SeekFrom, Write};
use std::path::Path;
use std::time::Duration;

/// Nodes for each position where there is no other limit.
const NODES: u64 = 1_000_000;

/// Answers all questions; gives how many were not understood.
pub(super) fn run(args: &AnalyseArgs, progress: &MultiProgress) -> Result<u64, String> {
    let of_each = usize::from(args.threads_per_position);
    let threads = (think::threads(args.think.threads) / of_each).max(1);
    let setting = think::setting(&args.think, NODES, usize::from(args.multipv), of_each)?;
    let spelling = match args.numeric {
        true => Spelling::Numeric(args.think.numbering),
        false => Spelling::Algebraic,
    };
    let told = |error: io::Error| error.to_string();
    // On a terminal the answers are progress enough, and a bar would only come between them.
    let bar = match args.resume.is_none() && output::is_terminal() {
        true => ProgressBar::hidden(),
        false => progress.add(ProgressBar::no_length()),
    };
    let mut inputs = Inputs::open(args, &bar)?;
    let (mut output, known) = match &args.resume {
        None => (Output::standard(args.format).map_err(told)?, 0),
        Some(_) if args.format != Format::Json => {
            return Err("--resume is for answers in JSON".to_owned());
        }
        Some(path) => Output::resume(path, &mut inputs, spelling)
            .map_err(|error| format!("{}: {error}", path.display()))?,
    };
    let (mut begun, mut failed) = (false, 0);
    bar.enable_steady_tick(Duration::from_millis(500));
    let write = |answer: &Answer, now: Progress, more: bool| {
        if !begun {
            begun = true;
            bar.reset_eta();
        }
        failed = now.failed;
        let rate = now.answered as f64 / bar.elapsed().as_secs_f64().max(0.001);
        bar.set_message(format!(
            "{} positions, {rate:.0}/s",
            HumanCount(now.answered)
        ));
        output.write(&answer.write(args.format), more)
    };
    let next = move || inputs.next();
    let answered = analyse::run(next, &setting, spelling, threads, write);
    bar.finish_and_clear();
    answered.map(|_| known + failed).map_err(told)
}

type Input = Reader<Box<dyn BufRead + Send>>;

/// The questions of all files, one after the other.
struct Inputs {
    files: games::InTurn<Input>,
    input: Option<InputArg>,
    last: bool,
    rules: DrawRules,
    numbering: Numbering,
    bar: ProgressBar,
}

impl Inputs {
    /// Looks at all files at once: one that is missing is better known before the work.
    fn open(args: &AnalyseArgs, bar: &ProgressBar) -> Result<Inputs, String> {
        let files = games::InTurn::new(&args.files)?;
        let mut length = Some(0);
        for path in files.waiting() {
            let about = std::fs::metadata(path).ok().filter(|about| about.is_file());
            length = length.zip(about).map(|(sum, about)| sum + about.len());
        }
        let known = "{wide_bar} {percent}%  {msg}  {elapsed} (left {eta})";
        let unknown = "{spinner} {msg}  {elapsed}";
        let template = if length.is_some() { known } else { unknown };
        if let Ok(style) = ProgressStyle::with_template(template) {
            bar.set_style(style);
        }
        if let Some(length) = length {
            bar.set_length(length);
        }
        Ok(Inputs {
            files,
            input: args.input,
            last: args.last,
            rules: args.think.rules.clone(),
            numbering: args.think.numbering,
            bar: bar.clone(),
        })
    }

    fn next(&mut self) -> io::Result<Option<Question>> {
        let open = |path: &Path| {
            let is_pdn = path
                .extension()
                .is_some_and(|end| end.eq_ignore_ascii_case("pdn"));
            let by_name = if is_pdn {
                InputArg::Pdn
            } else {
                InputArg::Lines
            };
            let what = match self.input.unwrap_or(by_name) {
                InputArg::Lines => What::Lines,
                InputArg::Pdn if self.last => What::LastOfGames,
                InputArg::Pdn => What::Games,
            };
            let input: Box<dyn BufRead + Send> = match games::is_stdin(path) {
                true => Box::new(input::stdin()),
                false => Box::new(BufReader::new(self.bar.wrap_read(games::open(path)?))),
            };
            Ok(Reader::new(input, what, self.rules.clone(), self.numbering))
        };
        self.files.next(open, |_, reader| reader.next_question())
    }
}

/// Where answers go.
struct Output {
    writer: Box<dyn Write>,
}

/// How every answer begins.
const BEGINNING: &[u8] = b"{\"schema\":";

impl Output {
    /// Standard output, with what stands above the answers.
    fn standard(format: Format) -> io::Result<Output> {
        let mut writer = output::writer();
        if let Some(head) = format.head() {
            writer.write_all(head.as_bytes())?;
            writer.flush()?;
        }
        Ok(Output {
            writer: Box::new(writer),
        })
    }

    /// A file, behind the answers that are in it, whose questions are taken from the inputs; and how many of them
    /// were not understood. A file with anything else in it is left alone.
    fn resume(
        path: &Path,
        inputs: &mut Inputs,
        spelling: Spelling,
    ) -> Result<(Output, u64), String> {
        let told = |error: io::Error| error.to_string();
        let mut file = OpenOptions::new()
            .read(true)
            .write(true)
            .create(true)
            .truncate(false)
            .open(path)
            .map_err(told)?;
        let (failed, whole) = check_answers(&file, inputs, spelling)?;
        // What is behind the last whole answer was being written when the work was broken off.
        file.set_len(whole).map_err(told)?;
        file.seek(SeekFrom::End(0)).map_err(told)?;
        let writer = Box::new(BufWriter::new(file));
        Ok((Output { writer }, failed))
    }

    /// Writes an answer; it waits in memory only while another one is there to be written.
    fn write(&mut self, text: &str, more: bool) -> io::Result<()> {
        let written = self.writer.write_all(text.as_bytes());
        if more {
            return written.inspect_err(games::give_up);
        }
        written
            .and_then(|()| self.writer.flush())
            .inspect_err(games::give_up)
    }
}

/// Compares the answers of a file with the questions; how many of them failed, and the length of the file up to
/// the last whole one.
fn check_answers(
    file: &File,
    inputs: &mut Inputs,
    spelling: Spelling,
) -> Result<(u64, u64), String> {
    let (mut failed, mut whole) = (0, 0);
    let mut reader = BufReader::new(file);
    let mut bytes = Vec::new();
    for number in 1.. {
        bytes.clear();
        let read = reader
            .read_until(b'\n', &mut bytes)
            .map_err(|error| error.to_string())?;
        let beginning = &bytes[..bytes.len().min(BEGINNING.len())];
        if !BEGINNING.starts_with(beginning) {
            return Err(format!("line {number} is no answer"));
        }
        if !bytes.ends_with(b"\n") {
            break;
        }
        whole += read as u64;
        let answer: serde_json::Value = serde_json::from_slice(&bytes)
            .map_err(|error| format!("line {number} is no answer: {error}"))?;
        if answer["schema"] != analyse::SCHEMA {
            return Err(format!("line {number} is no answer of this version"));
        }
        let question = inputs.next().map_err(|error| error.to_string())?;
        if !question.is_some_and(|question| is_answered_by(&question, &answer, spelling)) {
            return Err(format!("line {number} answers another question"));
        }
        failed += u64::from(answer.get("error").is_some());
    }
    Ok((failed, whole))
}

fn is_answered_by(question: &Question, answer: &serde_json::Value, spelling: Spelling) -> bool {
    let same = answer["line"] == question.line && answer["id"] == question.id;
    same && match &question.game {
        Ok(game) => answer["fen"] == fen::write(game.position(), spelling),
        Err(error) => answer["error"] == *error,
    }
}
