//! Answers as lines of JSON, as CSV, and as a table to look at.

use crate::analyse::analyst::{Analysis, Line};
use crate::notation::{Spelling, fen, movetext};
use crate::rules::{Game, Position};
use crate::search;
use crate::tb::{Value as TableValue, Verdict};
use serde::Serialize;
use serde_json::Value;

/// The version of the lines of JSON: it changes when a key changes its meaning or goes.
pub const SCHEMA: u32 = 1;

/// How answers are written.
#[derive(clap::ValueEnum, Clone, Copy, PartialEq, Eq, Debug)]
pub enum Format {
    /// Lines of JSON
    Json,
    /// Comma-separated values with a line of names above
    Csv,
    /// Columns to look at
    Table,
}

/// What endgame tables say of a position.
#[derive(Serialize, Clone, PartialEq, Eq, Debug)]
pub struct TableSays {
    /// `win`, `draw`, `loss`, or `draw by counter` for a win or loss that comes too late.
    pub value: &'static str,
    /// Plies to the next capture or man's move or the end, of a win or a loss.
    pub plies: Option<u8>,
}

impl TableSays {
    /// In words.
    #[must_use]
    pub fn new((verdict, value): (Verdict, TableValue)) -> TableSays {
        let plies = match value {
            TableValue::Win(plies) | TableValue::Loss(plies) => Some(plies),
            _ => None,
        };
        let (value, plies) = match verdict {
            Verdict::Win => ("win", plies),
            Verdict::Loss => ("loss", plies),
            Verdict::Draw => ("draw", None),
            Verdict::DrawByCounter => ("draw by counter", None),
        };
        TableSays { value, plies }
    }
}

/// A line of play.
#[derive(Serialize, Clone, PartialEq, Eq, Debug)]
pub struct LineSays {
    /// Its first move, `None` only where there is no legal move.
    pub best: Option<String>,
    /// Centi-men from the view of the side to move, `None` where the result is proven.
    pub score_cp: Option<i32>,
    /// `win` or `loss` for the side to move, where that is proven.
    pub proven: Option<&'static str>,
    /// Plies to the end of the game, where they have been counted out.
    pub plies: Option<u32>,
    /// Chances of a win, a draw and a loss in thousandths.
    pub odds: [u16; 3],
    /// The moves.
    pub pv: Vec<String>,
}

impl LineSays {
    /// The line of a position, its moves spelled so.
    #[must_use]
    pub fn new(line: &Line, position: &Position, spelling: Spelling) -> LineSays {
        let score = line.score;
        let mut at = *position;
        let spelled = |&mv| {
            let text = movetext::write_full(&at, mv, spelling);
            at = at.play(mv);
            text
        };
        let pv: Vec<String> = line.moves.iter().map(spelled).collect();
        let proven = match score.is_proven() {
            true if score.is_proven_loss() => Some("loss"),
            true => Some("win"),
            false => None,
        };
        LineSays {
            best: pv.first().cloned(),
            score_cp: proven.is_none().then_some(score.raw()),
            proven,
            plies: score.plies_to_end(),
            odds: [line.odds.win, line.odds.draw, line.odds.loss],
            pv,
        }
    }

    /// The score as a person writes it: `0.37`, `win in 5`, `loss`.
    fn score(&self) -> String {
        match (self.score_cp, self.proven, self.plies) {
            (Some(score), ..) => format!("{:+.2}", f64::from(score) / 100.0),
            (None, Some(proven), Some(plies)) => format!("{proven} in {plies}"),
            (None, proven, _) => proven.unwrap_or("?").to_owned(),
        }
    }
}

/// What was found about a position.
#[derive(Serialize, Clone, PartialEq, Eq, Debug)]
pub struct Found {
    /// The position.
    pub fen: String,
    /// The best line.
    #[serde(flatten)]
    pub best: LineSays,
    /// Plies of whole iterations.
    pub depth: u32,
    /// Nodes of all threads.
    pub nodes: u64,
    /// Milliseconds.
    pub time_ms: u64,
    /// Nodes a second.
    pub nps: u64,
    /// The endgame tables.
    pub table: Option<TableSays>,
    /// Where several lines were asked for, all of them, the best first.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub lines: Option<Vec<LineSays>>,
}

impl Found {
    /// What was found about the current position of a game, moves spelled so.
    #[must_use]
    pub fn new(analysis: &Analysis, game: &Game, several: bool, spelling: Spelling) -> Found {
        let position = game.position();
        let says = |line| LineSays::new(line, position, spelling);
        Found {
            fen: fen::write(position, spelling),
            best: says(analysis.best()),
            depth: analysis.depth,
            nodes: analysis.nodes,
            time_ms: analysis.time.as_millis() as u64,
            nps: search::nodes_per_second(analysis.nodes, analysis.time),
            table: analysis.table.map(TableSays::new),
            lines: several.then(|| analysis.lines.iter().map(says).collect()),
        }
    }
}

/// The answer to a question.
#[derive(Serialize, Clone, PartialEq, Eq, Debug)]
pub struct Answer {
    /// [`SCHEMA`].
    pub schema: u32,
    /// Line of the input.
    pub line: usize,
    /// What the asker calls it.
    pub id: Value,
    /// What was found, or why nothing was.
    #[serde(flatten)]
    pub outcome: Outcome,
}

/// What was found, or why nothing was.
#[derive(Serialize, Clone, PartialEq, Eq, Debug)]
#[serde(untagged)]
pub enum Outcome {
    /// The position was thought about.
    Found(Box<Found>),
    /// It was not understood.
    Failed {
        /// Why.
        error: String,
    },
}

const CSV_NAMES: [&str; 17] = [
    "line", "id", "rank", "fen", "best", "score_cp", "proven", "plies", "win", "draw", "loss",
    "depth", "nodes", "time_ms", "table", "pv", "error",
];

impl Answer {
    /// Whether nothing was found.
    #[must_use]
    pub fn has_failed(&self) -> bool {
        matches!(self.outcome, Outcome::Failed { .. })
    }

    /// The line or lines of text of this answer, each with its end.
    #[must_use]
    pub fn write(&self, format: Format) -> String {
        match format {
            Format::Json => {
                let json = serde_json::to_string(self);
                // All of it can be written; were it not so, a script should see it.
                json.unwrap_or_else(|error| format!("{{\"error\":\"{error}\"}}")) + "\n"
            }
            Format::Csv => self.csv(),
            Format::Table => self.row(),
        }
    }

    fn id(&self) -> String {
        match &self.id {
            Value::Null => String::new(),
            Value::String(id) => id.clone(),
            other => other.to_string(),
        }
    }

    fn csv(&self) -> String {
        let start = [self.line.to_string(), self.id()];
        let found = match &self.outcome {
            Outcome::Failed { error } => {
                let mut fields = start.to_vec();
                fields.resize(CSV_NAMES.len() - 1, String::new());
                fields.push(error.clone());
                return csv_line(fields);
            }
            Outcome::Found(found) => found,
        };
        let one = std::slice::from_ref(&found.best);
        let lines = found.lines.as_deref().unwrap_or(one);
        let text = |number: Option<String>| number.unwrap_or_default();
        let row = |(rank, line): (usize, &LineSays)| {
            let mut fields = start.to_vec();
            fields.extend([
                rank.to_string(),
                found.fen.clone(),
                text(line.best.clone()),
                text(line.score_cp.map(|score| score.to_string())),
                text(line.proven.map(str::to_owned)),
                text(line.plies.map(|plies| plies.to_string())),
            ]);
            fields.extend(line.odds.iter().map(u16::to_string));
            fields.extend([
                found.depth.to_string(),
                found.nodes.to_string(),
                found.time_ms.to_string(),
                text(found.table.as_ref().map(|table| table.value.to_owned())),
                line.pv.join(" "),
                String::new(),
            ]);
            csv_line(fields)
        };
        (1..).zip(lines).map(row).collect()
    }

    fn row(&self) -> String {
        let found = match &self.outcome {
            Outcome::Failed { error } => {
                return format!("{:>6}  {:12}  {error}\n", self.line, self.id());
            }
            Outcome::Found(found) => found,
        };
        let one = std::slice::from_ref(&found.best);
        let lines = found.lines.as_deref().unwrap_or(one);
        let row = |line: &LineSays| {
            format!(
                "{:>6}  {:12}  {:12} {:>10}  {:>5}  {:>10}  {}\n",
                self.line,
                self.id(),
                line.best.as_deref().unwrap_or("-"),
                line.score(),
                found.depth,
                found.nodes,
                line.pv.join(" ")
            )
        };
        lines.iter().map(row).collect()
    }
}

impl Format {
    /// What stands above the answers, with its end.
    #[must_use]
    pub fn head(self) -> Option<String> {
        match self {
            Format::Json => None,
            Format::Csv => Some(csv_line(CSV_NAMES)),
            Format::Table => Some(format!(
                "{:>6}  {:12}  {:12} {:>10}  {:>5}  {:>10}  {}\n",
                "line", "id", "best", "score", "depth", "nodes", "line of play"
            )),
        }
    }
}

fn csv_line<T: AsRef<[u8]>>(fields: impl IntoIterator<Item = T>) -> String {
    let mut writer = csv::Writer::from_writer(Vec::new());
    // Writing to memory does not fail.
    let _ = writer.write_record(fields);
    let bytes = writer.into_inner().unwrap_or_default();
    String::from_utf8_lossy(&bytes).into_owned()
}
