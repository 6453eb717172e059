//! The listener thread: lines of standard input become messages.

use crate::search::Report;
use std::io::{self, BufRead, Read};
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

/// A line longer than this is cut, bytes: no game is that long.
const LONGEST_LINE: usize = 16 << 20;

impl Feed {
    /// A feed of what comes over standard input.
    pub(super) fn from_stdin() -> Feed {
        let (sender, receiver) = channel();
        let lines = sender.clone();
        let listen = move || {
            listen(io::stdin().lock(), &lines, LONGEST_LINE);
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
pub(crate) fn stdin() -> impl BufRead {
    io::stdin().lock()
}

/// Sends line after line; bytes that are not UTF-8 become replacement characters. Of a line longer
/// than `limit` bytes the rest is dropped and replaced by such a character, so that nothing takes what
/// is left for the whole.
fn listen(mut input: impl BufRead, messages: &Sender<Message>, limit: usize) {
    let mut bytes = Vec::new();
    loop {
        bytes.clear();
        match input
            .by_ref()
            .take(limit as u64 + 1)
            .read_until(b'\n', &mut bytes)
        {
            Ok(0) => break,
            Ok(read) => {
                let whole = bytes.ends_with(b"\n") || read <= limit;
                if !whole {
                    log::info!("a line of more than {limit} bytes is cut");
                    bytes.truncate(limit);
                    bytes.extend_from_slice(" \u{FFFD}".as_bytes());
                    if skip_line(&mut input).is_err() {
                        break;
                    }
                }
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

/// Drops bytes up to the end of the line.
fn skip_line(input: &mut impl BufRead) -> io::Result<()> {
    loop {
        let buffer = match input.fill_buf() {
            Err(error) if error.kind() == io::ErrorKind::Interrupted => continue,
            other => other?,
        };
        let end = buffer.iter().position(|&b| b == b'\n');
        let used = end.map_or(buffer.len(), |end| end + 1);
        if used == 0 {
            return Ok(());
        }
        input.consume(used);
        if end.is_some() {
            return Ok(());
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_that_is_too_long_is_marked_and_the_next_one_is_whole() {
        let (sender, receiver) = channel();
        listen(
            &b"position startpos\nabcdefghijklmnopqrstuvwxyz\r\nshort\r\nlast"[..],
            &sender,
            20,
        );
        drop(sender);
        let lines: Vec<String> = receiver
            .iter()
            .filter_map(|message| match message {
                Message::Line(line) => Some(line),
                _ => None,
            })
            .collect();
        assert_eq!(
            lines,
            [
                "position startpos",
                "abcdefghijklmnopqrst \u{FFFD}",
                "short",
                "last"
            ]
        );
    }
}
