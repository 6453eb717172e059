//! The real program as a child process, line by line.

use std::io::{BufRead, BufReader, Write};
use std::process::{Child, ChildStdin, Command, ExitStatus, Output, Stdio};
use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
use std::time::{Duration, Instant};

/// An answer that takes longer than this is none. Generous: tests share the machine.
const PATIENCE: Duration = Duration::from_secs(20);

/// A running program.
pub(crate) struct Engine {
    child: Child,
    input: Option<ChildStdin>,
    lines: Receiver<String>,
}

impl Engine {
    /// Starts the program with arguments.
    pub(crate) fn start(arguments: &[&str]) -> Engine {
        let mut child = Command::new(env!("CARGO_BIN_EXE_shashki"))
            .args(arguments)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .expect("the program starts");
        let input = child.stdin.take();
        let output = child.stdout.take().expect("piped");
        let (sender, lines) = channel();
        std::thread::spawn(move || {
            for line in BufReader::new(output).lines().map_while(Result::ok) {
                if sender.send(line).is_err() {
                    break;
                }
            }
        });
        Engine {
            child,
            input,
            lines,
        }
    }

    /// Sends lines.
    pub(crate) fn say(&mut self, text: &str) {
        let input = self.input.as_mut().expect("input is open");
        writeln!(input, "{text}")
            .and_then(|()| input.flush())
            .expect("the program listens");
    }

    /// Sends bytes as they are.
    pub(crate) fn say_bytes(&mut self, bytes: &[u8]) {
        let input = self.input.as_mut().expect("input is open");
        input
            .write_all(bytes)
            .and_then(|()| input.flush())
            .expect("the program listens");
    }

    /// Ends the input.
    pub(crate) fn close(&mut self) {
        self.input = None;
    }

    /// The next line, `None` at the end of the output.
    pub(crate) fn next(&mut self, patience: Duration) -> Option<String> {
        match self.lines.recv_timeout(patience) {
            Ok(line) => Some(line),
            Err(RecvTimeoutError::Disconnected) => None,
            Err(RecvTimeoutError::Timeout) => panic!("no line within {patience:?}"),
        }
    }

    /// The lines up to and including the first that begins with `word`.
    pub(crate) fn until(&mut self, word: &str) -> Vec<String> {
        let mut lines = Vec::new();
        loop {
            let line = self.next(PATIENCE);
            let line = line.unwrap_or_else(|| panic!("output ended before {word}: {lines:#?}"));
            let found = line.starts_with(word);
            lines.push(line);
            if found {
                return lines;
            }
        }
    }

    /// The first line that begins with `word`; those before it are dropped.
    pub(crate) fn answer(&mut self, word: &str) -> String {
        self.until(word).pop().expect("at least one line")
    }

    /// Says lines and gives the first answer that begins with `word`.
    pub(crate) fn ask(&mut self, text: &str, word: &str) -> String {
        self.say(text);
        self.answer(word)
    }

    /// Asserts that nothing comes for a while.
    pub(crate) fn is_silent(&mut self, time: Duration) -> bool {
        matches!(
            self.lines.recv_timeout(time),
            Err(RecvTimeoutError::Timeout)
        )
    }

    /// Waits for the end of the program.
    pub(crate) fn wait(&mut self) -> ExitStatus {
        let deadline = Instant::now() + PATIENCE;
        loop {
            if let Some(status) = self.child.try_wait().expect("a child") {
                return status;
            }
            assert!(Instant::now() < deadline, "the program does not end");
            std::thread::sleep(Duration::from_millis(5));
        }
    }
}

impl Drop for Engine {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// Runs the program to its end with the given input.
pub(crate) fn output(arguments: &[&str], input: &[u8]) -> Output {
    let mut child = Command::new(env!("CARGO_BIN_EXE_shashki"))
        .args(arguments)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("the program starts");
    let mut to_child = child.stdin.take().expect("piped");
    let input = input.to_vec();
    let writer = std::thread::spawn(move || {
        // A program that ends early does not read everything.
        let _ = to_child.write_all(&input);
    });
    let output = child.wait_with_output().expect("output");
    writer.join().expect("writer");
    output
}

/// The same; returns status, output, diagnostics.
pub(crate) fn run(arguments: &[&str], input: &[u8]) -> (ExitStatus, String, String) {
    let output = output(arguments, input);
    let text = String::from_utf8(output.stdout).expect("UTF-8");
    let diagnostics = String::from_utf8_lossy(&output.stderr).into_owned();
    (output.status, text, diagnostics)
}
