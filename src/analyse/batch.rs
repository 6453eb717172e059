//! Many positions at once, one thread or a few for each.

use crate::analyse::analyst::{Analyst, Analysts, Setting};
use crate::analyse::answer::{Answer, Found, Outcome, SCHEMA};
use crate::analyse::pipeline;
use crate::analyse::question::Question;
use crate::notation::Spelling;
use crate::rules::draw::DrawClock;
use crate::rules::{Game, Move, Position};
use dashmap::DashMap;
use std::io;
use std::sync::{Arc, OnceLock};

/// Answers that are remembered in case the same is asked again.
const REMEMBERED: usize = 1 << 14;

/// How far a batch is.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Progress {
    /// Questions answered, well or not.
    pub answered: u64,
    /// Of those, the ones that were not understood.
    pub failed: u64,
    /// Nodes of all searches; what was answered from memory has none.
    pub nodes: u64,
}

/// What makes two questions the same: where the game began, with its counters, and its moves.
type Asked = (Position, DrawClock, Vec<Move>);

/// Answers that may be wanted again.
#[derive(Default)]
struct Memory {
    answers: DashMap<Asked, Arc<OnceLock<Found>>>,
}

impl Memory {
    /// The place of an answer, which is there or will be; whoever comes second waits for the first.
    fn place(&self, game: &Game) -> Arc<OnceLock<Found>> {
        if self.answers.len() >= REMEMBERED {
            self.answers.clear();
        }
        let asked = (*game.start(), *game.start_clock(), game.moves().to_vec());
        self.answers.entry(asked).or_default().clone()
    }
}

/// Answers questions and has the answers written in the order of the questions.
///
/// `threads`: positions at the same time. `write` is called from this thread, with each answer, how far the
/// batch is, and whether another answer is there to be written at once.
///
/// # Errors
/// The questions cannot be read, the answers cannot be written, or there is no memory or thread.
pub fn run(
    questions: impl FnMut() -> io::Result<Option<Question>> + Send,
    setting: &Setting,
    spelling: Spelling,
    threads: usize,
    mut write: impl FnMut(&Answer, Progress, bool) -> io::Result<()>,
) -> io::Result<Progress> {
    let analysts = Analysts::new(setting, threads)?;
    let memory = Memory::default();
    let several = setting.limits.multi_pv > 1;
    let work =
        |question| analysts.with(|analyst| answer(&question, analyst, &memory, several, spelling));
    let mut progress = Progress::default();
    pipeline::run(questions, threads, work, |(answer, nodes), more| {
        progress.answered += 1;
        progress.failed += u64::from(answer.has_failed());
        progress.nodes += nodes;
        write(&answer, progress, more)
    })?;
    Ok(progress)
}

/// The answer to a question, and the nodes that it took now.
fn answer(
    question: &Question,
    analyst: &mut Analyst,
    memory: &Memory,
    several: bool,
    spelling: Spelling,
) -> (Answer, u64) {
    let mut nodes = 0;
    let outcome = match &question.game {
        Err(error) => Outcome::Failed {
            error: error.clone(),
        },
        Ok(game) => {
            let place = memory.place(game);
            let found = place.get_or_init(|| {
                let found = Found::new(&analyst.analyse(game), game, several, spelling);
                nodes = found.nodes;
                found
            });
            Outcome::Found(Box::new(found.clone()))
        }
    };
    let answer = Answer {
        schema: SCHEMA,
        line: question.line,
        id: question.id.clone(),
        outcome,
    };
    (answer, nodes)
}
