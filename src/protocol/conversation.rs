//! The order of things that all line protocols share: what is done at once, what waits for the end of
//! a search, and when the conversation is over.

use crate::protocol::input::{Feed, Message};
use crate::search::Report;
use std::collections::VecDeque;

/// What comes after a command.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Turn {
    /// The next command.
    Next,
    /// Done, but meant for all that came before: if anything of that still waits in line, this is
    /// to be done again in its turn.
    Again,
    /// This command cannot be carried out now: again after the current job.
    Wait,
    /// The end.
    Quit,
    /// Another protocol takes over.
    Switch,
}

/// One side of a conversation in some protocol.
pub(super) trait Session {
    /// Carries out a command, or says that it must wait for the end of the current job.
    fn command(&mut self, line: &str) -> Turn;

    /// A search has ended: gives the answer.
    fn found(&mut self, report: &Report);

    /// A job that is no search has ended.
    fn finished(&mut self);

    /// Whether a search or another job is under way.
    fn is_busy(&self) -> bool;

    /// Whether a search is under way that nothing but a stop would end, and none has come.
    fn is_endless(&self) -> bool;

    /// Ends the current search as soon as possible. With `only_unlimited`, only if nothing else
    /// would end it. Returns whether a search is under way whose answer will come.
    fn stop(&mut self, only_unlimited: bool) -> bool;
}

/// Talks until the end; returns how it ended.
///
/// At the end of input, searches that end by themselves are finished, and so is what waits behind
/// them, so that scripts can be piped in; a search that would go on for ever is stopped.
pub(super) fn hold(mut session: impl Session, feed: &mut Feed) -> Option<Turn> {
    let mut waiting: VecDeque<Waiting> = VecDeque::new();
    let mut ended = false;
    loop {
        let turn = match feed.next() {
            Message::Line(line) => {
                // Asked at once even where others wait: a stop must not wait for what it stops.
                let turn = session.command(&line);
                let urgent = turn == Turn::Again;
                if turn == Turn::Wait || (urgent && !waiting.is_empty()) {
                    waiting.push_back(Waiting { line, urgent });
                }
                turn
            }
            Message::End => {
                ended = true;
                Turn::Next
            }
            Message::Found(report) => {
                session.found(&report);
                work_off(&mut session, &mut waiting)
            }
            Message::Finished => {
                session.finished();
                work_off(&mut session, &mut waiting)
            }
        };
        match turn {
            Turn::Switch => return Some(Turn::Switch),
            Turn::Quit => {
                // The answer to a search under way still comes; nothing else does.
                if session.stop(false) {
                    wait_for_answer(&mut session, feed);
                }
                return Some(Turn::Quit);
            }
            Turn::Next | Turn::Again | Turn::Wait => {}
        }
        if ended {
            session.stop(true);
            if !session.is_busy() && waiting.is_empty() {
                return None;
            }
        }
    }
}

/// A command in line.
struct Waiting {
    line: String,
    /// It was done when it came, and is to be done to every search that begins before its turn.
    urgent: bool,
}

/// Carries out what waits, in order, up to the first command that has to wait again because a new job
/// has begun. What stands behind it has come already and may concern the new job: a stop, a
/// ponder-hit, or anything that ends an endless search.
fn work_off(session: &mut impl Session, waiting: &mut VecDeque<Waiting>) -> Turn {
    while let Some(next) = waiting.pop_front() {
        match session.command(&next.line) {
            Turn::Next | Turn::Again => {}
            Turn::Wait => {
                waiting.push_front(next);
                for Waiting { line, urgent } in waiting.iter() {
                    if *urgent || session.is_endless() {
                        session.command(line);
                    }
                }
                break;
            }
            end => return end,
        }
    }
    Turn::Next
}

fn wait_for_answer(session: &mut impl Session, feed: &mut Feed) {
    while session.is_busy() {
        match feed.next() {
            Message::Found(report) => session.found(&report),
            Message::Finished => session.finished(),
            Message::Line(_) | Message::End => {}
        }
    }
}
