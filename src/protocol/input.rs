//! The listener thread: lines of standard input become messages.

use crate::notation::Lines;
use crate::search::Report;
use std::io::{self, BufRead, BufReader};
use std::sync::mpsc::{Receiver, Sender, channel};

/// What a session has to react to.
pub(super) enum Message {
    /// A line of input, without its end.
    Line(String),
    /// Input has ended.
    End,
    /// A search has come to an end.
    Found(Box<Report>),
    /// A job without a report has come to an end.
    Finished,
}

/// Messages in the order in which they arrive.
pub(super) struct Feed {
    receiver: Receiver<Message>,
    sender: Sender<Message>,
}

impl Feed {
    /// A feed of what comes over standard input.
    pub(super) fn from_stdin() -> Feed {
        let (sender, receiver) = channel();
        let lines = sender.clone();
        let listen = move || {
            listen(io::stdin().lock(), &lines);
        };
        if let Err(error) = std::thread::Builder::new()
            .name("input".to_owned())
            .spawn(listen)
        {
            log::error!("cannot listen to standard input: {error}");
            let _ = sender.send(Message::End);
        }
        Feed { receiver, sender }
    }

    /// A way to put messages in.
    pub(super) fn sender(&self) -> Sender<Message> {
        self.sender.clone()
    }

    /// Waits for the next message.
    pub(super) fn next(&mut self) -> Message {
        // The feed holds a sender itself, so the channel is never closed.
        self.receiver.recv().unwrap_or(Message::End)
    }
}

/// Standard input for a command that reads it to its end; it may not be used beside a [`Feed`].
pub(crate) fn stdin() -> impl BufRead + Send {
    BufReader::new(io::stdin())
}

/// Sends line after line.
fn listen(input: impl BufRead, messages: &Sender<Message>) {
    let mut lines = Lines::new(input);
    loop {
        match lines.next_line() {
            Ok(None) => break,
            Ok(Some(line)) => {
                if messages.send(Message::Line(line)).is_err() {
                    return;
                }
            }
            Err(error) => {
                log::error!("reading standard input: {error}");
                break;
            }
        }
    }
    let _ = messages.send(Message::End);
}
