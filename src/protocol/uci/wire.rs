//! Lines to commands, and answers to lines. Pure: no engine, no input, no output.

use crate::engine::options::{Kind, Spec};
use crate::eval::Odds;
use crate::notation::{Spelling, movetext};
use crate::rules::{Move, Position};
use crate::score::Score;
use crate::search::Info;

/// A command line, understood as far as the words go.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Command {
    /// `uci`; `udri` is the same with another last line.
    Uci {
        /// The word that ends the answer.
        last: &'static str,
    },
    /// `isready`.
    IsReady,
    /// `setoption name N [value V]`.
    SetOption {
        /// The name, which may contain blanks.
        name: String,
        /// The value, empty if there is none.
        value: String,
    },
    /// `ucinewgame`, `newgame`.
    NewGame,
    /// `position …`.
    Position(Result<PositionArgs, String>),
    /// `go …`.
    Go(Box<GoArgs>),
    /// `stop`.
    Stop,
    /// `ponderhit`.
    PonderHit,
    /// `quit`.
    Quit,
    /// `d`: show the position.
    Display,
    /// `moves`: list the legal moves.
    Moves,
    /// `eval`: explain the evaluation.
    Eval,
    /// `perft N`.
    Perft(Result<u32, String>),
    /// `bench [N]`.
    Bench(Result<u32, String>),
    /// `flip`: exchange the colours.
    Flip,
    /// `hub`: change to the other protocol.
    Hub,
    /// Something that needs no answer.
    Nothing,
    /// No command was found in the line.
    Unknown(String),
}

/// What `position` names.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct PositionArgs {
    /// The FEN, `None` for the start position.
    pub fen: Option<String>,
    /// The moves.
    pub moves: Vec<String>,
}

/// What `go` names. Numbers are as sent; times in milliseconds.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct GoArgs {
    /// `depth`.
    pub depth: Option<i64>,
    /// `nodes`.
    pub nodes: Option<i64>,
    /// `mate`.
    pub mate: Option<i64>,
    /// `movetime`.
    pub move_time: Option<i64>,
    /// `wtime`.
    pub white_time: Option<i64>,
    /// `btime`.
    pub black_time: Option<i64>,
    /// `winc`.
    pub white_increment: Option<i64>,
    /// `binc`.
    pub black_increment: Option<i64>,
    /// `movestogo`.
    pub moves_to_go: Option<i64>,
    /// `perft`.
    pub perft: Option<i64>,
    /// `infinite`.
    pub infinite: bool,
    /// `ponder`.
    pub ponder: bool,
    /// `searchmoves`.
    pub search_moves: Vec<String>,
    /// What could not be understood.
    pub errors: Vec<String>,
}

/// Words that begin a command even behind words that mean nothing.
const AFTER_UNKNOWN: &[&str] = &[
    "uci",
    "udri",
    "isready",
    "setoption",
    "ucinewgame",
    "position",
    "go",
    "stop",
    "ponderhit",
    "quit",
    "debug",
    "register",
];

/// Reads a line. Words are not told apart by case. Unknown words in front of a command are skipped,
/// as UCI wants it.
#[must_use]
pub fn parse(line: &str) -> Command {
    let mut words = line.split_whitespace();
    let mut first = true;
    loop {
        let rest = words.clone();
        let Some(word) = words.next() else { break };
        let lower = word.to_ascii_lowercase();
        if first || AFTER_UNKNOWN.contains(&lower.as_str()) {
            let arguments = rest.skip(1);
            if let Some(command) = command(&lower, arguments) {
                return command;
            }
        }
        first = false;
    }
    match line.trim() {
        "" => Command::Nothing,
        text => Command::Unknown(text.chars().take(60).collect()),
    }
}

fn command<'a>(word: &str, arguments: impl Iterator<Item = &'a str> + Clone) -> Option<Command> {
    Some(match word {
        "uci" => Command::Uci { last: "uciok" },
        "udri" => Command::Uci { last: "udriok" },
        "isready" => Command::IsReady,
        "setoption" => set_option(arguments),
        "ucinewgame" | "newgame" => Command::NewGame,
        "position" => Command::Position(position(arguments)),
        "go" => Command::Go(Box::new(go(arguments))),
        "stop" => Command::Stop,
        "ponderhit" => Command::PonderHit,
        "quit" | "exit" => Command::Quit,
        "d" => Command::Display,
        "moves" => Command::Moves,
        "eval" => Command::Eval,
        "flip" => Command::Flip,
        "hub" => Command::Hub,
        "perft" => Command::Perft(number(arguments.clone().next(), "perft", None)),
        "bench" => {
            let default = crate::engine::bench::DEFAULT_DEPTH;
            Command::Bench(number(arguments.clone().next(), "bench", Some(default)))
        }
        "debug" | "register" => Command::Nothing,
        _ => return None,
    })
}

fn number(word: Option<&str>, name: &str, default: Option<u32>) -> Result<u32, String> {
    match (word, default) {
        (None, Some(default)) => Ok(default),
        (None, None) => Err(format!("{name} needs a depth")),
        (Some(word), _) => word
            .parse()
            .map_err(|_| format!("{name} needs a depth, found \"{}\"", cut(word))),
    }
}

fn cut(word: &str) -> String {
    word.chars().take(40).collect()
}

fn set_option<'a>(words: impl Iterator<Item = &'a str>) -> Command {
    let mut name: Vec<&str> = Vec::new();
    let mut value: Vec<&str> = Vec::new();
    let mut in_value = false;
    for (at, word) in words.enumerate() {
        match word {
            _ if at == 0 && word.eq_ignore_ascii_case("name") => {}
            _ if !in_value && word.eq_ignore_ascii_case("value") => in_value = true,
            _ if in_value => value.push(word),
            _ => name.push(word),
        }
    }
    Command::SetOption {
        name: name.join(" "),
        value: value.join(" "),
    }
}

fn position<'a>(mut words: impl Iterator<Item = &'a str>) -> Result<PositionArgs, String> {
    let mut args = PositionArgs::default();
    let word = words.next().unwrap_or("");
    match word.to_ascii_lowercase().as_str() {
        "startpos" => match words.next() {
            None => return Ok(args),
            Some(word) if word.eq_ignore_ascii_case("moves") => {}
            Some(word) => return Err(format!("expected moves, found \"{}\"", cut(word))),
        },
        "fen" => {
            let is_moves = |word: &&str| word.eq_ignore_ascii_case("moves");
            let fen: Vec<&str> = words.by_ref().take_while(|word| !is_moves(word)).collect();
            args.fen = Some(fen.join(" "));
        }
        "" => return Err("expected startpos or fen, found nothing".to_owned()),
        _ => return Err(format!("expected startpos or fen, found \"{}\"", cut(word))),
    }
    args.moves = words.map(str::to_owned).collect();
    Ok(args)
}

fn go<'a>(words: impl Iterator<Item = &'a str>) -> GoArgs {
    const KEYWORDS: &[&str] = &[
        "searchmoves",
        "ponder",
        "wtime",
        "btime",
        "winc",
        "binc",
        "movestogo",
        "depth",
        "nodes",
        "mate",
        "movetime",
        "infinite",
        "perft",
    ];
    let mut args = GoArgs::default();
    let mut words = words.peekable();
    let mut in_moves = false;
    while let Some(word) = words.next() {
        let lower = word.to_ascii_lowercase();
        let slot = match lower.as_str() {
            "depth" => &mut args.depth,
            "nodes" => &mut args.nodes,
            "mate" => &mut args.mate,
            "movetime" => &mut args.move_time,
            "wtime" => &mut args.white_time,
            "btime" => &mut args.black_time,
            "winc" => &mut args.white_increment,
            "binc" => &mut args.black_increment,
            "movestogo" => &mut args.moves_to_go,
            "perft" => &mut args.perft,
            "infinite" => {
                args.infinite = true;
                in_moves = false;
                continue;
            }
            "ponder" => {
                args.ponder = true;
                in_moves = false;
                continue;
            }
            "searchmoves" => {
                in_moves = true;
                continue;
            }
            _ if in_moves => {
                args.search_moves.push(word.to_owned());
                continue;
            }
            _ => {
                args.errors
                    .push(format!("unknown word \"{}\" in go", cut(word)));
                continue;
            }
        };
        in_moves = false;
        let is_value = |word: &&str| !KEYWORDS.contains(&word.to_ascii_lowercase().as_str());
        match words
            .next_if(is_value)
            .map(|value| (value, value.parse::<i64>()))
        {
            Some((_, Ok(value))) => *slot = Some(value),
            Some((value, Err(_))) => {
                args.errors
                    .push(format!("{lower} needs a number, found \"{}\"", cut(value)));
            }
            None => args.errors.push(format!("{lower} needs a number")),
        }
    }
    args
}

/// The `option` line of an option.
#[must_use]
pub fn option(spec: &Spec) -> String {
    let Spec {
        name,
        kind,
        default,
        ..
    } = spec;
    match kind {
        Kind::Check => format!("option name {name} type check default {default}"),
        Kind::Spin { min, max } => {
            format!("option name {name} type spin default {default} min {min} max {max}")
        }
        Kind::Combo(words) => {
            let words: String = words.iter().map(|word| format!(" var {word}")).collect();
            format!("option name {name} type combo default {default}{words}")
        }
        Kind::Text if default.is_empty() => {
            format!("option name {name} type string default <empty>")
        }
        Kind::Text => format!("option name {name} type string default {default}"),
        Kind::Button => format!("option name {name} type button"),
    }
}

/// `cp X` in centi-men, or `mate Y` in own moves: positive if the side to move wins.
#[must_use]
pub fn score(score: Score) -> String {
    match score.plies_to_end() {
        Some(plies) if score.is_win() => format!("mate {}", plies.div_ceil(2)),
        Some(0) => "mate 0".to_owned(),
        Some(plies) => format!("mate -{}", plies / 2),
        None => format!("cp {}", score.raw()),
    }
}

/// The moves of a line, each with its whole path.
#[must_use]
pub fn line(position: &Position, moves: &[Move], spelling: Spelling) -> String {
    let mut position = *position;
    let mut texts = Vec::with_capacity(moves.len());
    for &mv in moves {
        texts.push(movetext::write_full(&position, mv, spelling));
        position = position.play(mv);
    }
    texts.join(" ")
}

/// The `info` line of an iteration, with chances behind the score if they are given.
#[must_use]
pub fn info(info: &Info, position: &Position, spelling: Spelling, odds: Option<Odds>) -> String {
    let mut score = score(info.score);
    if let Some(Odds { win, draw, loss }) = odds {
        score.push_str(&format!(" wdl {win} {draw} {loss}"));
    }
    if info.line.is_empty() {
        return format!("info depth {} score {score}", info.depth);
    }
    format!(
        "info depth {} seldepth {} multipv {} score {score} nodes {} nps {} hashfull {} tbhits {} \
         time {} pv {}",
        info.depth,
        info.selective_depth,
        info.rank,
        info.nodes,
        info.nodes_per_second(),
        info.hash_per_mille,
        info.table_hits,
        info.time.as_millis(),
        line(position, &info.line, spelling)
    )
}

/// The `bestmove` line: the first move of a line, and the second to ponder on.
#[must_use]
pub fn best_move(position: &Position, moves: &[Move], spelling: Spelling) -> String {
    let Some(&best) = moves.first() else {
        return "bestmove (none)".to_owned();
    };
    let text = movetext::write_full(position, best, spelling);
    match moves.get(1) {
        Some(&reply) => {
            let after = position.play(best);
            format!(
                "bestmove {text} ponder {}",
                movetext::write_full(&after, reply, spelling)
            )
        }
        None => format!("bestmove {text}"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_are_found_whatever_their_case_and_surroundings() {
        assert_eq!(parse("  isready\t"), Command::IsReady);
        assert_eq!(parse("ISREADY"), Command::IsReady);
        assert_eq!(parse("joho isready"), Command::IsReady);
        assert_eq!(parse(""), Command::Nothing);
        assert_eq!(parse("debug on"), Command::Nothing);
        assert_eq!(
            parse("what is this d"),
            Command::Unknown("what is this d".to_owned())
        );
        assert!(matches!(
            parse("POSITION STARTPOS"),
            Command::Position(Ok(_))
        ));
    }

    #[test]
    fn options_may_have_blanks_in_name_and_value() {
        let expected = Command::SetOption {
            name: "Move Overhead".to_owned(),
            value: "30".to_owned(),
        };
        assert_eq!(parse("setoption name Move Overhead value 30"), expected);
        let expected = Command::SetOption {
            name: "Clear Hash".to_owned(),
            value: String::new(),
        };
        assert_eq!(parse("setoption name Clear Hash"), expected);
    }

    #[test]
    fn positions_and_their_faults() {
        let good = |line| match parse(line) {
            Command::Position(Ok(args)) => args,
            other => panic!("{other:?}"),
        };
        let bad = |line| match parse(line) {
            Command::Position(Err(error)) => error,
            other => panic!("{other:?}"),
        };
        assert_eq!(good("position startpos moves"), PositionArgs::default());
        assert_eq!(good("position startpos moves a b").moves, ["a", "b"]);
        let args = good("position fen W:W1, 2:B3 moves c3-d4");
        assert_eq!(
            (args.fen.as_deref(), args.moves.len()),
            (Some("W:W1, 2:B3"), 1)
        );
        assert_eq!(good("position fen").fen.as_deref(), Some(""));
        assert_eq!(bad("position"), "expected startpos or fen, found nothing");
        assert_eq!(
            bad("position here"),
            "expected startpos or fen, found \"here\""
        );
        assert_eq!(
            bad("position startpos c3-d4"),
            "expected moves, found \"c3-d4\""
        );
    }

    #[test]
    fn go_takes_its_words_in_any_order() {
        let args = go("searchmoves a3-b4 c3-d4 wtime -50 infinite depth x nodes".split(' '));
        assert_eq!(args.search_moves, ["a3-b4", "c3-d4"]);
        assert_eq!(args.white_time, Some(-50));
        assert!(args.infinite);
        assert_eq!(
            args.errors,
            ["depth needs a number, found \"x\"", "nodes needs a number"]
        );
    }

    #[test]
    fn wins_are_told_in_own_moves() {
        assert_eq!(score(Score::win_at(7)), "mate 4");
        assert_eq!(score(Score::win_at(1)), "mate 1");
        assert_eq!(score(Score::loss_at(2)), "mate -1");
        assert_eq!(score(Score::loss_at(0)), "mate 0");
        assert_eq!(score(Score::evaluation(-37)), "cp -37");
    }
}
