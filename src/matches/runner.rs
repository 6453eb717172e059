//! A whole match: worker threads take games off the schedule until it is done, a test has decided,
//! or somebody says stop.
//!
//! Plain threads and channels: the work is waiting for child processes and clocks.

use crate::matches::adjudicate::Adjudication;
use crate::matches::cancel::Cancel;
use crate::matches::client::Client;
use crate::matches::journal::{Heading, Journal, JournalError};
use crate::matches::openings::{self, Opening, Order};
use crate::matches::play::{Seat, play};
use crate::matches::record::{Fault, GameRecord};
use crate::matches::schedule::{Format, Schedule};
use crate::matches::spec::EngineSpec;
use crate::matches::sprt::{Decision, Sprt};
use crate::matches::standings::Standings;
use crate::rules::DrawRules;
use std::collections::BTreeSet;
use std::path::PathBuf;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::mpsc::{Receiver, channel};

/// A match to be played.
#[derive(Clone, Debug)]
pub struct Match {
    /// The engines, two or more, with different names.
    pub engines: Vec<EngineSpec>,
    /// Who meets whom.
    pub format: Format,
    /// Pairs of games of each pairing, 1 or more.
    pub rounds: usize,
    /// Openings, one or more; each pair has one.
    pub openings: Vec<Opening>,
    /// Shuffles the openings.
    pub seed: Option<u64>,
    /// When a game is drawn by rule.
    pub rules: DrawRules,
    /// What is adjudicated.
    pub adjudication: Adjudication,
    /// Games at the same time, 1 or more.
    pub concurrency: usize,
    /// The test that may end the match; for two engines.
    pub sprt: Option<Sprt>,
    /// The state file.
    pub state: Option<PathBuf>,
}

/// Why a match ended.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum StopReason {
    /// All games have been played.
    Finished,
    /// The test has decided.
    Decided,
    /// It was interrupted.
    Interrupted,
}

/// What came of a match.
#[derive(Clone, PartialEq, Debug)]
pub struct Outcome {
    /// The accounts.
    pub standings: Standings,
    /// Why it ended.
    pub reason: StopReason,
    /// What the state file lacks and why, in words, if it could not be written.
    pub unwritten: Option<String>,
}

/// A match cannot be played, or not to its end.
#[derive(Debug, thiserror::Error)]
pub enum MatchError {
    /// Fewer than two engines, or two of the same name.
    #[error("{0}")]
    Engines(String),
    /// An engine does not start.
    #[error("engine {name} {fault}")]
    Start {
        /// The engine.
        name: String,
        /// What is wrong.
        fault: Fault,
    },
    /// The state file.
    #[error(transparent)]
    Journal(#[from] JournalError),
    /// No thread could be started.
    #[error("cannot start a thread: {0}")]
    Thread(std::io::Error),
    /// Whoever watches can go no further.
    #[error("{0}")]
    Watcher(String),
}

/// Is told how a match goes.
pub trait Watcher {
    /// Before the first game: how many there are, and those that an earlier run has played.
    ///
    /// # Errors
    /// The match cannot begin.
    fn begin(&mut self, total: usize, played: &[GameRecord]) -> Result<(), String>;

    /// A game has ended and is in the accounts.
    ///
    /// # Errors
    /// The match cannot go on.
    fn game(&mut self, game: &GameRecord, standings: &Standings) -> Result<(), String>;
}

impl Match {
    /// What must be the same for a match to be continued, in words.
    fn heading(&self) -> Heading {
        let names = self.engines.iter().map(|engine| engine.name.clone());
        let mut settings: Vec<String> = self.engines.iter().map(EngineSpec::in_full).collect();
        settings.push(format!("{:?}", self.format));
        settings.push(format!(
            "{} openings with the checksum {:08x}, order {:?}",
            self.openings.len(),
            openings::checksum(&self.openings),
            self.seed
        ));
        settings.push(format!("rules {}", self.rules.name()));
        settings.push(format!("{:?}", self.adjudication));
        Heading::new(names.collect(), settings)
    }

    fn check(&self) -> Result<(), MatchError> {
        let names: BTreeSet<&str> = self.engines.iter().map(|e| e.name.as_str()).collect();
        let text = if self.engines.len() < 2 {
            "a match needs two engines or more"
        } else if names.len() < self.engines.len() {
            "two engines have the same name; use name="
        } else if self.openings.is_empty() {
            "a match needs an opening or more"
        } else if self.sprt.is_some() && self.engines.len() > 2 {
            "a sequential test is between two engines"
        } else {
            return Ok(());
        };
        Err(MatchError::Engines(text.to_owned()))
    }
}

/// Plays a match. Begins with the games that the state file does not have yet. `interrupted` ends
/// it: games under way are dropped, those finished are kept.
///
/// # Errors
/// The match cannot begin: an engine does not start, or the state file does not fit or cannot be
/// begun. A state file that cannot be written later is no reason to end a match; see
/// [`Outcome::unwritten`].
pub fn run(
    settings: &Match,
    interrupted: &AtomicBool,
    watcher: &mut dyn Watcher,
) -> Result<Outcome, MatchError> {
    settings.check()?;
    let schedule = Schedule::new(settings.format, settings.engines.len(), settings.rounds);
    let (mut journal, played) = match &settings.state {
        Some(path) => {
            let (journal, played) = Journal::open(path, &settings.heading())?;
            (Some(journal), played)
        }
        None => (None, Vec::new()),
    };
    let mut standings = Standings::new(settings.engines.len());
    let mut done = BTreeSet::new();
    for game in &played {
        // A game is counted once, whatever happened to the file.
        if done.insert(game.game) {
            standings.add(game);
        }
    }
    let open: Vec<usize> = (0..schedule.len())
        .filter(|game| !done.contains(game))
        .collect();
    let stop = AtomicBool::new(false);
    let cancel = Cancel {
        from_outside: interrupted,
        from_inside: &stop,
    };
    // An engine that never starts is a mistake of whoever set the match up, not a lost game.
    if !open.is_empty() {
        for engine in &settings.engines {
            if let Err(fault) = Client::start(engine, &settings.rules, cancel)
                && !cancel.is_called()
            {
                let name = engine.name.clone();
                return Err(MatchError::Start { name, fault });
            }
        }
    }
    watcher
        .begin(schedule.len(), &played)
        .map_err(MatchError::Watcher)?;
    let next = AtomicUsize::new(0);
    std::thread::scope(|scope| {
        let (sender, finished) = channel();
        for number in 0..settings.concurrency.clamp(1, open.len().max(1)) {
            let (sender, open, next, schedule) = (sender.clone(), &open, &next, &schedule);
            let work = move || {
                let order = Order::new(settings.openings.len(), settings.seed);
                let mut clients: Vec<Option<Client<'_>>> = Vec::new();
                clients.resize_with(settings.engines.len(), || None);
                while !cancel.is_called() {
                    let Some(&game) = open.get(next.fetch_add(1, Ordering::Relaxed)) else {
                        break;
                    };
                    let record = one_game(settings, schedule, &order, &mut clients, game, cancel);
                    let Some(record) = record else { break };
                    if sender.send(record).is_err() {
                        break;
                    }
                }
            };
            let thread = std::thread::Builder::new().name(format!("match-{number}"));
            thread.spawn_scoped(scope, work).map_err(|error| {
                stop.store(true, Ordering::Relaxed);
                MatchError::Thread(error)
            })?;
        }
        drop(sender);
        let kept = keep(settings, &finished, &mut journal, &mut standings, watcher);
        stop.store(true, Ordering::Relaxed);
        let unwritten = journal.as_mut().and_then(|journal| journal.finish().err());
        let decided = kept?;
        let reason = if decided {
            StopReason::Decided
        } else if standings.games < schedule.len() {
            StopReason::Interrupted
        } else {
            StopReason::Finished
        };
        Ok(Outcome {
            standings,
            reason,
            unwritten: unwritten.map(|unwritten| unwritten.to_string()),
        })
    })
}

/// Takes in finished games until there are no more. Returns whether the test has decided.
fn keep(
    settings: &Match,
    finished: &Receiver<GameRecord>,
    journal: &mut Option<Journal>,
    standings: &mut Standings,
    watcher: &mut dyn Watcher,
) -> Result<bool, MatchError> {
    let decided = |standings: &Standings| {
        let test = settings.sprt.as_ref().zip(standings.lines.first());
        test.is_some_and(|(sprt, line)| sprt.decide(sprt.ratio(&line.pairs)) != Decision::Open)
    };
    if decided(standings) {
        return Ok(true);
    }
    for game in finished {
        if let Some(journal) = journal {
            journal.add(&game);
        }
        standings.add(&game);
        watcher
            .game(&game, standings)
            .map_err(MatchError::Watcher)?;
        if decided(standings) {
            return Ok(true);
        }
    }
    Ok(false)
}

fn one_game<'a>(
    settings: &Match,
    schedule: &Schedule,
    order: &Order,
    clients: &mut [Option<Client<'a>>],
    game: usize,
    cancel: Cancel<'a>,
) -> Option<GameRecord> {
    let fixture = schedule.fixture(game)?;
    let opening = settings.openings.get(order.opening(fixture.round))?;
    let [white, black] = clients
        .get_disjoint_mut([fixture.white, fixture.black])
        .ok()?;
    let seats = [
        Seat {
            spec: settings.engines.get(fixture.white)?,
            client: white,
        },
        Seat {
            spec: settings.engines.get(fixture.black)?,
            client: black,
        },
    ];
    play(
        fixture,
        seats,
        opening,
        &settings.rules,
        &settings.adjudication,
        cancel,
    )
}
