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

    /// Ends the current search as soon as possible. With `only_unlimited`, only if nothing else
    /// would end it. Returns whether a search is under way whose answer will come.
    fn stop(&mut self, only_unlimited: bool) -> bool;
}

/// Talks until the end; returns how it ended.
///
/// At the end of input, searches that end by themselves are finished, and so is what waits behind
/// them, so that scripts can be piped in; a search that would go on for ever is stopped.
pub(super) fn hold(mut session: impl Session, feed: &mut Feed) -> Option<Turn> {
    let mut waiting: VecDeque<String> = VecDeque::new();
    let mut ended = false;
    let mut quitting = false;
    loop {
        match feed.next() {
            Message::Line(line) => waiting.push_back(line),
            Message::End => ended = true,
            Message::Found(report) => session.found(&report),
            Message::Finished => session.finished(),
        }
        // Everything that can be done is done in order; what must wait stays in line, but what comes
        // behind it is still asked, since a stop must not wait for what it stops.
        let mut still_waiting = VecDeque::new();
        while let Some(line) = waiting.pop_front() {
            if quitting {
                break;
            }
            match session.command(&line) {
                Turn::Next => {}
                Turn::Again if still_waiting.is_empty() => {}
                Turn::Again | Turn::Wait => still_waiting.push_back(line),
                Turn::Quit => quitting = true,
                Turn::Switch => return Some(Turn::Switch),
            }
        }
        waiting = still_waiting;
        if quitting {
            waiting.clear();
            if !session.stop(false) {
                return Some(Turn::Quit);
            }
        } else if ended {
            session.stop(true);
            if !session.is_busy() && waiting.is_empty() {
                return None;
            }
        }
    }
}
