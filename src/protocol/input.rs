//! The listener thread: lines of standard input become messages.

use crate::search::Report;
use std::io::{self, BufRead};
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

/// A line longer than this is cut: no command is that long but a game of thousands of moves.
const LONGEST_LINE: usize = 16 << 20;

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

/// Sends line after line; bytes that are not UTF-8 become replacement characters.
fn listen(mut input: impl BufRead, messages: &Sender<Message>) {
    let mut bytes = Vec::new();
    loop {
        bytes.clear();
        match input.read_until(b'\n', &mut bytes) {
            Ok(0) => break,
            Ok(_) => {
                bytes.truncate(LONGEST_LINE);
                let line = String::from_utf8_lossy(&bytes);
                let line = line.trim_end_matches(['\n', '\r']).to_owned();
                if messages.send(Message::Line(line)).is_err() {
                    return;
                }
            }
            Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
            Err(error) => {
                log::error!("reading standard input: {error}");
                break;
            }
        }
    }
    let _ = messages.send(Message::End);
}
