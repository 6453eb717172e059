//! What is known of an engine before it runs, from words or from a file.

use crate::matches::time::{Thinking, seconds};
use crate::notation::Numbering;
use serde::Deserialize;
use std::collections::BTreeMap;
use std::fmt;
use std::path::PathBuf;
use std::time::Duration;

/// The language of an engine.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Protocol {
    /// UCI-style.
    #[default]
    Uci,
    /// Hub, version 2.
    Hub,
}

/// The command that stands for this very program.
const BUILTIN: &str = "builtin";

/// An engine, how to start it and how long it may think.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct EngineSpec {
    /// What it is called in tables and game files.
    pub name: String,
    /// Program and arguments.
    pub command: Vec<String>,
    /// The folder it starts in.
    pub folder: Option<PathBuf>,
    /// Its language.
    pub protocol: Protocol,
    /// Options set before the first game, in order.
    pub options: Vec<(String, String)>,
    /// Clock, time a move, depth, nodes.
    pub(super) thinking: Thinking,
    /// An answer that is late by no more than this counts as in time.
    pub margin: Duration,
    /// Whether it may think while the opponent does.
    pub ponder: bool,
    /// Whether lines that are no part of its protocol are overlooked.
    pub chatter: bool,
    /// The square with number 1, for moves in numbers.
    pub numbering: Numbering,
}

/// What is wrong with the description of an engine.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum SpecError {
    /// A word without `=`.
    #[error("expected key=value, found \"{0}\"")]
    Word(String),
    /// A key that means nothing.
    #[error("unknown key \"{0}\"; there are {KEYS} and option.NAME")]
    Key(String),
    /// A value that does not fit.
    #[error("bad value \"{value}\" for {key}, expected {expected}")]
    Value {
        /// The key.
        key: String,
        /// The value.
        value: String,
        /// What would fit.
        expected: &'static str,
    },
    /// No command.
    #[error("an engine needs cmd=PROGRAM, or cmd=builtin for this program itself")]
    NoCommand,
    /// Nothing says how long it may think.
    #[error("engine {0} needs tc, movetime, depth or nodes")]
    NoLimit(String),
    /// The file cannot be understood.
    #[error("{0}")]
    Toml(String),
}

const KEYS: &str =
    "cmd, name, dir, proto, tc, movetime, depth, nodes, margin, ponder, chatter, numbering";

/// Margin where none is named: what a busy system may take to wake a reader up.
const MARGIN: Duration = Duration::from_millis(20);

impl EngineSpec {
    /// Reads `key=value` words, those for all engines first.
    ///
    /// # Errors
    /// The first word that cannot be understood, or what is missing.
    pub fn from_words<'a>(
        words: impl IntoIterator<Item = &'a str>,
    ) -> Result<EngineSpec, SpecError> {
        let mut draft = Draft::default();
        for word in words {
            let pair = word.split_once('=').filter(|(key, _)| !key.is_empty());
            let (key, value) = pair.ok_or_else(|| SpecError::Word(word.to_owned()))?;
            draft.set(key, value)?;
        }
        draft.finish()
    }
}

/// A description under way; later words replace earlier ones.
#[derive(Clone, Default)]
struct Draft {
    name: Option<String>,
    command: Option<String>,
    folder: Option<PathBuf>,
    protocol: Protocol,
    options: Vec<(String, String)>,
    thinking: Thinking,
    margin: Option<Duration>,
    ponder: bool,
    chatter: bool,
    numbering: Numbering,
}

impl Draft {
    fn set(&mut self, key: &str, value: &str) -> Result<(), SpecError> {
        let bad = |expected| SpecError::Value {
            key: key.to_owned(),
            value: value.to_owned(),
            expected,
        };
        let yes_or_no = || value.parse().map_err(|_| bad("true or false"));
        let milliseconds = || {
            let number = value.parse::<f64>().ok();
            let time = number.and_then(|number| seconds(&(number / 1000.0).to_string()));
            time.ok_or_else(|| bad("milliseconds"))
        };
        match key.to_ascii_lowercase().as_str() {
            "cmd" => self.command = Some(value.to_owned()),
            "name" => self.name = Some(value.to_owned()),
            "dir" => self.folder = Some(PathBuf::from(value)),
            "proto" => {
                self.protocol = match value.to_ascii_lowercase().as_str() {
                    "uci" => Protocol::Uci,
                    "hub" => Protocol::Hub,
                    _ => return Err(bad("uci or hub")),
                }
            }
            "tc" => {
                let control = value.parse();
                self.thinking.clock = match value {
                    "none" => None,
                    _ => Some(control.map_err(|_| bad("[moves/]seconds[+increment] or none"))?),
                };
            }
            "movetime" => {
                let time = Some(milliseconds()?).filter(|time| !time.is_zero());
                self.thinking.move_time = Some(time.ok_or_else(|| bad("milliseconds"))?);
            }
            "depth" => {
                let depth = value.parse().ok().filter(|&depth| depth > 0);
                self.thinking.depth = Some(depth.ok_or_else(|| bad("a number of plies"))?);
            }
            "nodes" => {
                let nodes = value.parse().ok().filter(|&nodes| nodes > 0);
                self.thinking.nodes = Some(nodes.ok_or_else(|| bad("a number"))?);
            }
            "margin" => self.margin = Some(milliseconds()?),
            "ponder" => self.ponder = yes_or_no()?,
            "chatter" => self.chatter = yes_or_no()?,
            "numbering" => self.numbering = value.parse().map_err(|_| bad("b8 or a1"))?,
            _ => {
                // The name of an option keeps its case.
                let option = key
                    .get(..7)
                    .filter(|start| start.eq_ignore_ascii_case("option."));
                let name = option
                    .and_then(|_| key.get(7..))
                    .filter(|name| !name.is_empty());
                let name = name.ok_or_else(|| SpecError::Key(key.to_owned()))?;
                self.options
                    .retain(|(known, _)| !known.eq_ignore_ascii_case(name));
                self.options.push((name.to_owned(), value.to_owned()));
            }
        }
        Ok(())
    }

    fn finish(self) -> Result<EngineSpec, SpecError> {
        let text = self.command.ok_or(SpecError::NoCommand)?;
        let command = if text.eq_ignore_ascii_case(BUILTIN) {
            let path = std::env::current_exe().ok();
            let path = path.and_then(|path| path.to_str().map(str::to_owned));
            let mut command = vec![path.ok_or(SpecError::NoCommand)?];
            if self.protocol == Protocol::Hub {
                command.push("hub".to_owned());
            }
            command
        } else {
            // The separator of folders there is the escape character of a shell elsewhere.
            let shell = if cfg!(windows) {
                text.replace('\\', "\\\\")
            } else {
                text.clone()
            };
            let words = shlex::split(&shell).filter(|words| !words.is_empty());
            words.ok_or_else(|| SpecError::Value {
                key: "cmd".to_owned(),
                value: text.clone(),
                expected: "a program and its arguments, with closed quotes",
            })?
        };
        let name = self.name.unwrap_or_else(|| {
            let program = text.split_whitespace().next().unwrap_or(BUILTIN);
            let program = std::path::Path::new(program).file_stem();
            program.map_or_else(|| text.clone(), |stem| stem.to_string_lossy().into_owned())
        });
        if self.thinking == Thinking::default() {
            return Err(SpecError::NoLimit(name));
        }
        Ok(EngineSpec {
            name,
            command,
            folder: self.folder,
            protocol: self.protocol,
            options: self.options,
            thinking: self.thinking,
            margin: self.margin.unwrap_or(MARGIN),
            ponder: self.ponder,
            chatter: self.chatter,
            numbering: self.numbering,
        })
    }
}

impl EngineSpec {
    /// All that decides how it plays, for comparison.
    pub(super) fn in_full(&self) -> String {
        let own = std::env::current_exe().ok();
        let own = own.as_deref().and_then(std::path::Path::to_str);
        let command = self.command.iter().map(|word| {
            // This program may have been moved.
            if Some(word.as_str()) == own {
                BUILTIN
            } else {
                word
            }
        });
        let command: Vec<&str> = command.collect();
        let mut text = format!("{self}, command {command:?}");
        if let Some(folder) = &self.folder {
            text.push_str(&format!(" in {}", folder.display()));
        }
        let margin = self.margin.as_secs_f64() * 1000.0;
        text.push_str(&format!(
            ", {:?}, margin {margin}, numbers {:?}",
            self.protocol, self.numbering
        ));
        for (set, name) in [(self.ponder, "ponders"), (self.chatter, "chatters")] {
            if set {
                text.push_str(&format!(", {name}"));
            }
        }
        text
    }
}

/// How long it may think, for people.
impl fmt::Display for EngineSpec {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:", self.name)?;
        let Thinking {
            clock,
            move_time,
            depth,
            nodes,
        } = self.thinking;
        if let Some(clock) = clock {
            write!(f, " tc {clock}")?;
        }
        if let Some(time) = move_time {
            write!(f, " movetime {}", time.as_secs_f64() * 1000.0)?;
        }
        if let Some(depth) = depth {
            write!(f, " depth {depth}")?;
        }
        if let Some(nodes) = nodes {
            write!(f, " nodes {nodes}")?;
        }
        for (name, value) in &self.options {
            write!(f, ", {name} {value}")?;
        }
        Ok(())
    }
}

/// A file of engines: `[each]` with what all of them have, and an `[[engine]]` for each, with the
/// keys of the command line; options in a table `option`.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct File {
    #[serde(default)]
    each: BTreeMap<String, toml::Value>,
    #[serde(default)]
    engine: Vec<BTreeMap<String, toml::Value>>,
}

/// Reads the text of an engine file. `each` words come after the file's own `[each]` and before what
/// an engine says for itself.
///
/// # Errors
/// The first thing that cannot be understood.
pub fn engines_from_toml(text: &str, each: &[String]) -> Result<Vec<EngineSpec>, SpecError> {
    let file: File = toml::from_str(text).map_err(|error| SpecError::Toml(error.to_string()))?;
    let common = words_of(&file.each)?;
    let engines = file.engine.iter().map(|engine| {
        let own = words_of(engine)?;
        let words = common.iter().chain(each).chain(&own);
        EngineSpec::from_words(words.map(String::as_str))
    });
    engines.collect()
}

fn words_of(table: &BTreeMap<String, toml::Value>) -> Result<Vec<String>, SpecError> {
    let mut words = Vec::new();
    for (key, value) in table {
        match value {
            toml::Value::Table(options) if key == "option" => {
                for (name, value) in options {
                    words.push(format!("option.{name}={}", word(name, value)?));
                }
            }
            value => words.push(format!("{key}={}", word(key, value)?)),
        }
    }
    Ok(words)
}

fn word(key: &str, value: &toml::Value) -> Result<String, SpecError> {
    Ok(match value {
        toml::Value::String(text) => text.clone(),
        toml::Value::Integer(number) => number.to_string(),
        toml::Value::Float(number) => number.to_string(),
        toml::Value::Boolean(truth) => truth.to_string(),
        other => {
            return Err(SpecError::Value {
                key: key.to_owned(),
                value: other.to_string(),
                expected: "a text, a number, true or false",
            });
        }
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_make_an_engine() {
        let words = [
            "tc=10+0.1",
            "option.Hash=32",
            "cmd=./a/b.exe -x \"two words\"",
            "option.hash=64",
            "option.Move Overhead=5",
            "margin=1.5",
        ];
        let engine = EngineSpec::from_words(words).expect("good");
        assert_eq!(engine.name, "b");
        assert_eq!(engine.command, ["./a/b.exe", "-x", "two words"]);
        assert_eq!(engine.margin, Duration::from_micros(1500));
        let options = [("hash", "64"), ("Move Overhead", "5")];
        let options = options.map(|(name, value)| (name.to_owned(), value.to_owned()));
        assert_eq!(engine.options, options);
    }

    #[test]
    fn whatever_decides_how_it_plays_is_compared() {
        let words = ["name=n", "cmd=x -a", "depth=3"];
        let full = |more: &str| {
            let words = words.into_iter().chain(more.split_whitespace());
            EngineSpec::from_words(words).expect("good").in_full()
        };
        for other in [
            "cmd=y",
            "proto=hub",
            "dir=/",
            "margin=9",
            "ponder=true",
            "chatter=true",
            "numbering=a1",
            "option.a=1",
            "depth=4",
            "name=m",
        ] {
            assert_ne!(full(other), full(""), "{other}");
        }
        assert!(full("cmd=builtin").contains("[\"builtin\"]"));
    }

    #[test]
    fn faults_are_named() {
        let fault = |words: &[&str]| {
            let error = EngineSpec::from_words(words.iter().copied());
            error.expect_err("a fault").to_string()
        };
        assert!(fault(&["cmd"]).contains("expected key=value"));
        assert!(fault(&["depth=3"]).contains("needs cmd"));
        assert!(fault(&["cmd=a"]).contains("needs tc"));
        assert!(fault(&["cmd=a", "colour=red"]).contains("unknown key \"colour\""));
        assert!(fault(&["cmd=a", "depth=0"]).contains("plies"));
        assert!(fault(&["cmd=a 'b", "depth=1"]).contains("closed quotes"));
        assert!(fault(&["cmd=a", "proto=xboard"]).contains("uci or hub"));
    }

    #[test]
    fn a_file_says_the_same() {
        let text = r#"
            [each]
            tc = "10+0.1"
            [[engine]]
            cmd = "builtin"
            name = "one"
            option = { Hash = 16, Ponder = true }
            [[engine]]
            cmd = "x"
            proto = "hub"
            nodes = 1000
        "#;
        let engines = engines_from_toml(text, &["margin=7".to_owned()]).expect("good");
        let [one, x] = engines.as_slice() else {
            panic!("two engines")
        };
        assert_eq!(one.to_string(), "one: tc 10+0.1, Hash 16, Ponder true");
        assert_eq!(x.to_string(), "x: tc 10+0.1 nodes 1000");
        assert_eq!(x.protocol, Protocol::Hub);
        assert_eq!(x.margin, Duration::from_millis(7));
        assert!(engines_from_toml("[engine]", &[]).is_err());
        assert!(engines_from_toml("[[engine]]\ncmd = []", &[]).is_err());
    }
}
