//! A child process and its lines, each stamped when it was read.

use crate::matches::record::Fault;
use std::io::{BufRead, BufReader, Read, Write};
use std::path::Path;
use std::process::{Child, ChildStdin, Command, Stdio};
use std::sync::mpsc::{Receiver, RecvTimeoutError, SyncSender, sync_channel};
use std::time::{Duration, Instant};

/// A line of output.
pub(super) struct Spoken {
    /// When it was read.
    pub(super) at: Instant,
    /// The line without its end, `None` if it has none. What is no UTF-8 is replaced: moves are letters and
    /// figures in every encoding, and the rest is for people.
    pub(super) line: Option<String>,
}

/// A running program. Dropping it kills it, and what it has started itself.
pub(super) struct Process {
    child: Child,
    input: ChildStdin,
    lines: Receiver<Spoken>,
}

/// Lines that wait to be read before the child has to wait.
const QUEUE: usize = 4096;
/// A line longer than this is none, bytes.
const LONGEST: u64 = 1 << 20;
/// How long a program that was told to quit has for it.
const FAREWELL: Duration = Duration::from_millis(200);

impl Process {
    /// Starts a program.
    ///
    /// # Errors
    /// [`Fault::NoStart`].
    pub(super) fn start(command: &[String], folder: Option<&Path>) -> Result<Process, Fault> {
        let (program, arguments) = command
            .split_first()
            .ok_or_else(|| Fault::NoStart("no program".to_owned()))?;
        let mut command = Command::new(program);
        command
            .args(arguments)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            // What engines say beside their protocol is for those who look into a fault.
            .stderr(if log::log_enabled!(log::Level::Debug) {
                Stdio::inherit()
            } else {
                Stdio::null()
            });
        if let Some(folder) = folder {
            command.current_dir(folder);
        }
        // An interrupt from the terminal is for the runner alone, which then ends its engines.
        #[cfg(unix)]
        {
            use std::os::unix::process::CommandExt;
            command.process_group(0);
        }
        let failed = |error: std::io::Error| Fault::NoStart(format!("{program}: {error}"));
        let mut child = command.spawn().map_err(failed)?;
        let (Some(input), Some(output)) = (child.stdin.take(), child.stdout.take()) else {
            return Err(Fault::NoStart(format!("{program}: no pipes")));
        };
        let (sender, lines) = sync_channel(QUEUE);
        std::thread::Builder::new()
            .name("engine output".to_owned())
            .spawn(move || read(BufReader::new(output), &sender))
            .map_err(failed)?;
        Ok(Process {
            child,
            input,
            lines,
        })
    }

    /// Says a line.
    ///
    /// # Errors
    /// [`Fault::Crash`]: nobody listens.
    pub(super) fn say(&mut self, line: &str) -> Result<(), Fault> {
        log::trace!("> {line}");
        let mut text = String::with_capacity(line.len() + 1);
        text.push_str(line);
        text.push('\n');
        self.input
            .write_all(text.as_bytes())
            .and_then(|()| self.input.flush())
            .map_err(|_| Fault::Crash(self.last_words()))
    }

    /// The next line, `None` if none comes before the deadline.
    ///
    /// # Errors
    /// [`Fault::Crash`]: the output has ended.
    pub(super) fn hear(&mut self, deadline: Instant) -> Result<Option<Spoken>, Fault> {
        let patience = deadline.saturating_duration_since(Instant::now());
        match self.lines.recv_timeout(patience) {
            Ok(spoken) => {
                log::trace!("< {}", spoken.line.as_deref().unwrap_or("(no end)"));
                Ok(Some(spoken))
            }
            Err(RecvTimeoutError::Timeout) => Ok(None),
            Err(RecvTimeoutError::Disconnected) => Err(Fault::Crash(self.last_words())),
        }
    }

    /// A line that is there already.
    pub(super) fn heard(&mut self) -> Option<Spoken> {
        self.lines.try_recv().ok()
    }

    /// How the program ended, as far as it has.
    fn last_words(&mut self) -> String {
        let deadline = Instant::now() + FAREWELL;
        loop {
            match self.child.try_wait() {
                Ok(Some(status)) => return status.to_string(),
                Ok(None) if Instant::now() < deadline => {
                    std::thread::sleep(Duration::from_millis(2));
                }
                _ => return "its output ended".to_owned(),
            }
        }
    }
}

impl Drop for Process {
    fn drop(&mut self) {
        if self.say("quit").is_ok() {
            let deadline = Instant::now() + FAREWELL;
            while Instant::now() < deadline {
                // Its last lines must not keep it.
                while self.heard().is_some() && Instant::now() < deadline {}
                if matches!(self.child.try_wait(), Ok(Some(_))) {
                    return;
                }
                std::thread::sleep(Duration::from_millis(1));
            }
        }
        // Where a script stands between, the engine is a child of the script.
        #[cfg(unix)]
        {
            use rustix::process::{Pid, Signal, kill_process_group};
            let _ = kill_process_group(Pid::from_child(&self.child), Signal::KILL);
        }
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

fn read(mut output: impl BufRead, sender: &SyncSender<Spoken>) {
    let mut bytes = Vec::new();
    loop {
        bytes.clear();
        let read = output.by_ref().take(LONGEST).read_until(b'\n', &mut bytes);
        let at = Instant::now();
        if !matches!(read, Ok(1..)) {
            return;
        }
        let whole = bytes.ends_with(b"\n");
        let text = whole.then(|| String::from_utf8_lossy(&bytes));
        let line = text.map(|text| text.trim_end().to_owned());
        if sender.send(Spoken { at, line }).is_err() {
            return;
        }
    }
}

#[cfg(all(test, unix))]
mod tests {
    use super::*;

    #[test]
    fn what_an_engine_has_started_ends_with_it() {
        let words = ["sh", "-c", "sleep 600 & echo $!; wait"].map(str::to_owned);
        let mut process = Process::start(&words, None).expect("a shell");
        let spoken = process.hear(Instant::now() + Duration::from_secs(20));
        let child = spoken.expect("it lives").expect("it speaks").line;
        let child = child.expect("a number");
        let state = || {
            let output = Command::new("ps")
                .args(["-o", "stat=", "-p", &child])
                .output();
            String::from_utf8_lossy(&output.expect("ps runs").stdout)
                .trim()
                .to_owned()
        };
        assert!(!state().is_empty());
        drop(process);
        let deadline = Instant::now() + Duration::from_secs(10);
        // What is dead may wait for its parent to notice.
        while !(state().is_empty() || state().starts_with('Z')) {
            assert!(Instant::now() < deadline, "it goes on");
            std::thread::sleep(Duration::from_millis(10));
        }
    }
}
