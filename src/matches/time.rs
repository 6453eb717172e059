//! Time controls and clocks.

use std::fmt;
use std::str::FromStr;
use std::time::Duration;

/// `moves/seconds+increment`: the seconds are given anew after so many moves, or once for the whole
/// game without `moves/`; each move adds the increment.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct TimeControl {
    /// Moves to a new portion of time.
    pub moves: Option<u32>,
    /// The portion.
    pub time: Duration,
    /// What each move adds once it is made.
    pub increment: Duration,
}

/// The text is no time control.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error(
    "bad time control \"{0}\", expected [moves/]seconds[+increment], for example 10+0.1 or 40/60"
)]
pub struct TimeControlError(String);

/// A number of seconds, with a fraction or without; `None` if it is none or absurd.
pub(super) fn seconds(text: &str) -> Option<Duration> {
    let seconds: f64 = text.trim().parse().ok()?;
    (seconds <= 1e7)
        .then(|| Duration::try_from_secs_f64(seconds).ok())
        .flatten()
}

impl FromStr for TimeControl {
    type Err = TimeControlError;

    fn from_str(text: &str) -> Result<TimeControl, TimeControlError> {
        let bad = || TimeControlError(text.to_owned());
        let (moves, rest) = match text.split_once('/') {
            Some((moves, rest)) => {
                let moves: u32 = moves.trim().parse().map_err(|_| bad())?;
                (Some(moves).filter(|&moves| moves > 0), rest)
            }
            None => (None, text),
        };
        if text.contains('/') && moves.is_none() {
            return Err(bad());
        }
        let (time, increment) = rest.split_once('+').unwrap_or((rest, "0"));
        let time = seconds(time).filter(|time| !time.is_zero());
        Ok(TimeControl {
            moves,
            time: time.ok_or_else(bad)?,
            increment: seconds(increment).ok_or_else(bad)?,
        })
    }
}

impl fmt::Display for TimeControl {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some(moves) = self.moves {
            write!(f, "{moves}/")?;
        }
        write!(f, "{}", self.time.as_secs_f64())?;
        if !self.increment.is_zero() {
            write!(f, "+{}", self.increment.as_secs_f64())?;
        }
        Ok(())
    }
}

/// What each move of an engine may take; all limits hold together.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(super) struct Thinking {
    /// The clock.
    pub(super) clock: Option<TimeControl>,
    /// Time for each move.
    pub(super) move_time: Option<Duration>,
    /// Depth in plies.
    pub(super) depth: Option<u32>,
    /// Nodes.
    pub(super) nodes: Option<u64>,
}

/// One side's clock in a game.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct GameClock {
    control: TimeControl,
    /// What is left.
    pub(crate) remaining: Duration,
    /// Moves to the next portion.
    pub(crate) moves_to_go: Option<u32>,
}

impl GameClock {
    pub(crate) fn new(control: TimeControl) -> GameClock {
        GameClock {
            control,
            remaining: control.time,
            moves_to_go: control.moves,
        }
    }

    pub(crate) fn increment(&self) -> Duration {
        self.control.increment
    }

    /// A move has been made in time.
    pub(crate) fn moved(&mut self, taken: Duration) {
        self.remaining = self.remaining.saturating_sub(taken) + self.control.increment;
        if let Some(left) = &mut self.moves_to_go {
            *left -= 1;
            if *left == 0 {
                self.remaining += self.control.time;
                self.moves_to_go = self.control.moves;
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn controls_are_read_and_written() {
        for text in ["10+0.1", "40/60", "40/60+0.5", "0.1+0.001", "300"] {
            let control: TimeControl = text.parse().expect(text);
            assert_eq!(control.to_string(), text);
        }
        for text in [
            "", "x", "0/60", "/60", "-1", "10+", "10+x", "0", "1e99", "NaN", "inf",
        ] {
            assert!(text.parse::<TimeControl>().is_err(), "{text}");
        }
    }

    #[test]
    fn a_portion_comes_after_its_last_move() {
        let mut clock = GameClock::new("2/10+1".parse().expect("good"));
        clock.moved(Duration::from_secs(3));
        assert_eq!(clock.remaining, Duration::from_secs(8));
        clock.moved(Duration::from_secs(8));
        assert_eq!(clock.remaining, Duration::from_secs(11));
        assert_eq!(clock.moves_to_go, Some(2));
        clock.moved(Duration::from_secs(60));
        assert_eq!(clock.remaining, Duration::from_secs(1));
    }
}
