//! A match as text: a line for each game, the table, PDN.

use crate::matches::record::{Ending, GameRecord, MoveRecord};
use crate::matches::sprt::{Decision, Sprt};
use crate::matches::standings::{Line, Standings};
use crate::matches::stats::Spread;
use crate::notation::pdn::{self, CaptureSign, Item, Outcome};
use crate::notation::{Numbering, fen, movetext};
use crate::rules::{DrawRules, Game};
use crate::score::Score;
use serde_json::{Value, json};

/// `game 3: one - two 1-0 (two stalls)`.
#[must_use]
pub fn game_line(names: &[String], game: &GameRecord) -> String {
    let (white, black) = players(names, game);
    let why = why(names, game);
    let number = game.game + 1;
    format!("game {number}: {white} - {black} {} ({why})", game.result)
}

fn players<'a>(names: &'a [String], game: &GameRecord) -> (&'a str, &'a str) {
    let name = |index: usize| names.get(index).map_or("?", String::as_str);
    (name(game.white), name(game.black))
}

/// One engine's result in words: `+37.5 [+17.4, +57.6]`. Results that are all the same give an Elo
/// difference but no idea of how far off it may be.
fn difference(spread: &Spread) -> String {
    let number = |elo: f64| {
        if elo.is_finite() {
            format!("{elo:+.1}")
        } else if elo > 0.0 {
            "+inf".to_owned()
        } else {
            "-inf".to_owned()
        }
    };
    let elo = number(spread.elo());
    if spread.error > 0.0 {
        let (low, high) = spread.interval();
        format!("{elo} [{}, {}]", number(low), number(high))
    } else {
        format!("{elo} [unknown]")
    }
}

/// The table of a match, with the test if there is one.
#[must_use]
pub fn table(names: &[String], standings: &Standings, sprt: Option<&Sprt>) -> String {
    let mut text = String::new();
    let width = names.iter().map(|name| name.chars().count()).max();
    let width = width.unwrap_or(0).max(6);
    text.push_str(&format!(
        "{:width$}  games   won drawn  lost  points%  Elo [95% interval]\n",
        "engine"
    ));
    let mut order: Vec<(&String, &Line)> = names.iter().zip(&standings.lines).collect();
    let share = |line: &Line| line.counts.points() / line.counts.games().max(1) as f64;
    order.sort_by(|(_, a), (_, b)| share(b).total_cmp(&share(a)));
    for (name, line) in order {
        let counts = line.counts;
        let elo = line
            .spread()
            .as_ref()
            .map_or_else(|| "-".to_owned(), difference);
        text.push_str(&format!(
            "{name:width$} {:6} {:5} {:5} {:5}  {:6.2}%  {elo}\n",
            counts.games(),
            counts.wins,
            counts.draws,
            counts.losses,
            100.0 * share(line),
        ));
    }
    for (name, line) in names.iter().zip(&standings.lines) {
        if line.faults + line.time_losses > 0 {
            let (faults, time) = (line.faults, line.time_losses);
            text.push_str(&format!(
                "{name}: {time} lost on time, {faults} by other faults\n"
            ));
        }
    }
    if let ([name, _], Some(first)) = (names, standings.lines.first()) {
        // The table is in the order of the points: it must be said whose numbers these are.
        if let Some(spread) = first.spread().filter(|spread| spread.error > 0.0) {
            let superiority = 100.0 * spread.superiority();
            text.push_str(&format!(
                "likelihood of superiority of {name}: {superiority:.1}%\n"
            ));
        }
        let pairs = first.pairs.map(|count| count.to_string()).join(", ");
        text.push_str(&format!(
            "pairs in which {name} has 0, 1/2, 1, 3/2, 2 points: {pairs}\n"
        ));
        if let Some(sprt) = sprt {
            let ratio = sprt.ratio(&first.pairs);
            let (lower, upper) = sprt.bounds();
            let decision = match sprt.decide(ratio) {
                Decision::Open => "open",
                Decision::Accepted => "elo1 accepted",
                Decision::Rejected => "elo0 accepted",
            };
            text.push_str(&format!(
                "SPRT of {name} elo0={} elo1={}: ratio {ratio:.3} in [{lower:.3}, {upper:.3}], {decision}\n",
                sprt.elo0, sprt.elo1
            ));
        }
    }
    let overhead = 100.0 * standings.overhead();
    let thinking = standings.thinking_us as f64 / 1e6;
    text.push_str(&format!(
        "thinking {thinking:.1} s, overhead {overhead:.2}%"
    ));
    text
}

/// The last line of a match in JSON.
#[must_use]
pub fn table_json(names: &[String], standings: &Standings, sprt: Option<&Sprt>) -> Value {
    let engines = names.iter().zip(&standings.lines).map(|(name, line)| {
        let spread = line.spread();
        let certain = spread.filter(|spread| spread.error > 0.0);
        let finite = |number: f64| {
            if number.is_finite() {
                json!(number)
            } else {
                Value::Null
            }
        };
        json!({
            "name": name,
            "wins": line.counts.wins,
            "draws": line.counts.draws,
            "losses": line.counts.losses,
            "pairs": line.pairs,
            "time_losses": line.time_losses,
            "faults": line.faults,
            "elo": spread.map(|spread| finite(spread.elo())),
            "elo_low": certain.map(|spread| finite(spread.interval().0)),
            "elo_high": certain.map(|spread| finite(spread.interval().1)),
            "superiority": certain.map(|spread| spread.superiority()),
        })
    });
    let test = sprt.zip(standings.lines.first()).map(|(sprt, first)| {
        let ratio = sprt.ratio(&first.pairs);
        let (lower, upper) = sprt.bounds();
        json!({
            "ratio": ratio,
            "lower": lower,
            "upper": upper,
            "decision": match sprt.decide(ratio) {
                Decision::Open => "open",
                Decision::Accepted => "elo1",
                Decision::Rejected => "elo0",
            },
        })
    });
    json!({
        "games": standings.games,
        "engines": engines.collect::<Vec<_>>(),
        "sprt": test,
        "overhead": standings.overhead(),
    })
}

/// What is said about a move: score in men, depth, time taken, time left.
fn comment(mv: &MoveRecord) -> String {
    let mut text = String::new();
    if let Some(score) = mv.score {
        text.push_str(&Score::from_raw(score).to_string());
        if let Some(depth) = mv.depth {
            text.push_str(&format!("/{depth}"));
        }
        text.push(' ');
    }
    text.push_str(&format!("{:.3}s", mv.time_us as f64 / 1e6));
    if let Some(left) = mv.clock_ms {
        let (seconds, milliseconds) = (left / 1000, left % 1000);
        let (hours, minutes, seconds) = (seconds / 3600, seconds / 60 % 60, seconds % 60);
        let clock = format!("{hours}:{minutes:02}:{seconds:02}.{milliseconds:03}");
        text.push_str(&format!(" [%clk {clock}]"));
    }
    text
}

/// A game as PDN: score, depth and clocks in comments. `None` if the record does not replay.
#[must_use]
pub fn pdn(names: &[String], game: &GameRecord, date: &str) -> Option<String> {
    let start = fen::read(&game.fen, Numbering::B8).ok()?.position;
    let mut played = Game::new(start, DrawRules::none());
    for mv in &game.moves {
        let mv = movetext::read(played.position(), &mv.mv, Numbering::B8).ok()?;
        played.play(mv);
    }
    let (white, black) = players(names, game);
    let round = (game.game / 2 + 1).to_string();
    let tags = [
        ("Event", "engine match"),
        ("Date", date),
        ("Round", round.as_str()),
        ("White", white),
        ("Black", black),
        ("Opening", game.opening.as_str()),
        ("Termination", game.ending.termination()),
    ];
    let mut text = pdn::from_game(&played, &tags, CaptureSign::default());
    text.set_tag("Result", game.result.clone());
    text.terminator = Some(game.outcome());
    // The rules of the match, not of the bare game, say why it ended.
    text.items.retain(|item| matches!(item, Item::Move { .. }));
    let moves = std::mem::take(&mut text.items);
    for (at, (item, record)) in moves.into_iter().zip(&game.moves).enumerate() {
        text.items.push(item);
        if at >= game.book_plies {
            text.items.push(Item::Comment(comment(record)));
        }
    }
    let why = why(names, game);
    text.items.push(Item::Comment(why));
    Some(pdn::write(&text))
}

/// Why a game ended, in words.
fn why(names: &[String], game: &GameRecord) -> String {
    let (white, black) = players(names, game);
    match &game.ending {
        Ending::Rules(why) | Ending::Adjudication(why) => why.clone(),
        Ending::Forfeit(fault) => {
            let loser = match game.outcome() {
                Outcome::WhiteWins => black,
                _ => white,
            };
            format!("{loser} {fault}")
        }
    }
}
