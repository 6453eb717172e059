//! Work on many things at once, with the results in the order of the things.
//!
//! Whoever is free takes the next thing, so one that takes long holds up nobody but the results behind it;
//! how far the others may run ahead is limited, and with it the memory. A thing is taken only when
//! somebody has time for it: a script that waits for an answer before it asks on gets it.

use crate::search::STACK;
use rayon::prelude::*;
use std::collections::BTreeMap;
use std::io;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{self, Receiver};
use std::sync::{Mutex, PoisonError};

/// How far results may be ahead of the one that comes next.
const AHEAD: usize = 4096;

/// Works on things with so many threads. `result` is called from this thread, with each result, and whether
/// the one behind it is there as well.
///
/// # Errors
/// What `next` and `result` give, or there are no threads.
pub(crate) fn run<T: Send, R: Send>(
    next: impl FnMut() -> io::Result<Option<T>> + Send,
    threads: usize,
    work: impl Fn(T) -> R + Sync,
    mut result: impl FnMut(R, bool) -> io::Result<()>,
) -> io::Result<()> {
    let pool = rayon::ThreadPoolBuilder::new()
        .num_threads(threads)
        .stack_size(STACK)
        .build()
        .map_err(io::Error::other)?;
    let stop = AtomicBool::new(false);
    let failure = Mutex::new(None);
    let (done, results) = mpsc::channel();
    // A permit for each thing under way or waiting for its turn.
    let (permit, permits) = mpsc::sync_channel(AHEAD);
    for _ in 0..AHEAD {
        let _ = permit.send(());
    }
    std::thread::scope(|scope| {
        let things = Things {
            next,
            taken: 0,
            permits,
            stop: &stop,
            failure: &failure,
        };
        let (pool, work) = (&pool, &work);
        let all = move || {
            let one = |(number, thing)| {
                // If nobody listens any more, there is nobody to tell.
                let _ = done.send((number, work(thing)));
            };
            pool.install(|| things.par_bridge().for_each(one));
        };
        std::thread::Builder::new()
            .name("work".to_owned())
            .spawn_scoped(scope, all)?;
        let told = in_order(&results, |one, more| {
            let _ = permit.try_send(());
            result(one, more)
        });
        // The others end soon, for they find nothing more, and nobody waits for a permit.
        stop.store(true, Ordering::Relaxed);
        drop(permit);
        told
    })?;
    let failure = failure.into_inner().unwrap_or_else(PoisonError::into_inner);
    failure.map_or(Ok(()), Err)
}

/// Things for whoever is free, with their numbers from 0.
struct Things<'a, F> {
    next: F,
    taken: u64,
    permits: Receiver<()>,
    stop: &'a AtomicBool,
    failure: &'a Mutex<Option<io::Error>>,
}

impl<T, F: FnMut() -> io::Result<Option<T>>> Iterator for Things<'_, F> {
    type Item = (u64, T);

    fn next(&mut self) -> Option<(u64, T)> {
        self.permits.recv().ok()?;
        if self.stop.load(Ordering::Relaxed) {
            return None;
        }
        match (self.next)() {
            Ok(thing) => {
                let number = self.taken;
                self.taken += 1;
                thing.map(|thing| (number, thing))
            }
            Err(error) => {
                let mut failure = self.failure.lock().unwrap_or_else(PoisonError::into_inner);
                *failure = Some(error);
                None
            }
        }
    }
}

/// Calls for each numbered result in the order of the numbers from 0 on, and says whether the next one is
/// there already.
fn in_order<R>(
    results: &Receiver<(u64, R)>,
    mut call: impl FnMut(R, bool) -> io::Result<()>,
) -> io::Result<()> {
    let mut early = BTreeMap::new();
    let mut next = 0;
    for (number, result) in results {
        early.insert(number, result);
        while let Some(result) = early.remove(&next) {
            next += 1;
            call(result, early.contains_key(&next))?;
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::time::Duration;

    fn numbers(count: u64) -> impl FnMut() -> io::Result<Option<u64>> + Send {
        let mut numbers = 0..count;
        move || Ok(numbers.next())
    }

    #[test]
    fn results_come_in_order_however_long_each_takes() {
        let mut seen = Vec::new();
        let work = |number: u64| {
            std::thread::sleep(Duration::from_micros(number * 7919 % 300));
            2 * number
        };
        run(numbers(20_000), 3, work, |result, _| {
            seen.push(result);
            Ok(())
        })
        .expect("done");
        assert!(seen.into_iter().eq((0..20_000).map(|number| 2 * number)));
    }

    #[test]
    fn it_ends_when_reading_or_writing_fails() {
        let write = |result: u64, _: bool| match result {
            100 => Err(io::ErrorKind::BrokenPipe.into()),
            _ => Ok(()),
        };
        // One that takes long, so that all the others have to wait for permits.
        let work = |number| {
            let time = if number == 100 { 300 } else { 0 };
            std::thread::sleep(Duration::from_millis(time));
            number
        };
        let failed = run(numbers(100_000), 2, work, write).expect_err("broken");
        assert_eq!(failed.kind(), io::ErrorKind::BrokenPipe);
        let mut seen = 0;
        let mut left = 50;
        let next = move || {
            left -= 1;
            if left > 0 {
                Ok(Some(()))
            } else {
                Err(io::ErrorKind::InvalidData.into())
            }
        };
        let failed = run(
            next,
            2,
            |()| (),
            |(), _| {
                seen += 1;
                Ok(())
            },
        );
        assert_eq!(
            failed.expect_err("unreadable").kind(),
            io::ErrorKind::InvalidData
        );
        assert_eq!(seen, 49);
    }
}
