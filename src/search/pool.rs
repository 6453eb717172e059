//! The threads of a search and what each of them remembers.
//!
//! The threads all search the same tree (Lazy SMP): what one finds the others meet in the
//! transposition table, moves that one is at the others put off ([`busy`](super::busy)), and the root that
//! one is done with the others leave too ([`rounds`](super::rounds)). Nothing else
//! is shared on the way down a tree: histories, killers, lines and a table of the shallowest nodes belong to
//! a thread, its count of nodes has cache lines of its own, and there is no lock but the one that is taken when
//! a search of the root ends.
//!
//! Why that holds for many threads: a node reads a few table entries and writes one, all relaxed and at
//! random places of many megabytes, so two threads hardly ever want the same cache line; for the
//! shallowest nodes that is the thread's own table, which other threads never touch. The marks of
//! busy nodes are a load and two stores to a small table, but only for moves of nodes of depth 4 and more,
//! the few at the top of the tree. The flags, and whether the root is done, are read only every few hundred
//! nodes like the clock, and hardly ever written while a search runs; as rarely are the counts of all threads
//! added up. A round ends once or a few times a depth: then each thread takes the lock once, to copy a
//! score and a line. What grows with the number of threads is the work done twice, as in every parallel
//! alpha-beta search.
//!
//! Threads are started when they are first needed and kept for the next search.

use crate::rules::{Game, Move};
use crate::search::driver::{self, Outcome};
use crate::search::limits::Limits;
use crate::search::worker::{Memory, Team};
use crate::search::{Observer, Report, STACK, Shared};
use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::sync::mpsc::{Receiver, Sender, channel};
use std::thread::JoinHandle;

/// What a helper is asked to do.
enum Order {
    Search(Job),
    Forget,
}

/// A search to help with.
pub(super) struct Job {
    pub(super) shared: Shared,
    pub(super) team: Arc<Team>,
    pub(super) game: Arc<Game>,
    pub(super) limits: Arc<Limits>,
    pub(super) roots: Vec<Move>,
}

/// A thread that waits for orders. It ends when nobody can give any more.
struct Helper {
    orders: Option<Sender<Order>>,
    outcomes: Receiver<Outcome>,
    thread: Option<JoinHandle<()>>,
}

impl Helper {
    /// Starts helper `number`, from 1.
    fn start(number: usize) -> std::io::Result<Helper> {
        let (orders, inbox) = channel::<Order>();
        let (outbox, outcomes) = channel();
        let work = move || {
            let mut memory = Memory::new();
            for order in inbox {
                match order {
                    Order::Search(job) => {
                        let outcome = driver::help(&job, &mut memory, number);
                        // The answer must not keep the table alive.
                        drop(job);
                        if outbox.send(outcome).is_err() {
                            return;
                        }
                    }
                    Order::Forget => memory.forget(),
                }
            }
        };
        let thread = std::thread::Builder::new()
            .name(format!("search-{number}"))
            .stack_size(STACK)
            .spawn(work)?;
        Ok(Helper {
            orders: Some(orders),
            outcomes,
            thread: Some(thread),
        })
    }

    fn is_alive(&self) -> bool {
        self.thread
            .as_ref()
            .is_some_and(|thread| !thread.is_finished())
    }

    fn order(&self, order: Order) -> bool {
        let orders = self.orders.as_ref();
        orders.is_some_and(|orders| orders.send(order).is_ok())
    }
}

impl Drop for Helper {
    fn drop(&mut self) {
        self.orders = None;
        if let Some(thread) = self.thread.take()
            && thread.join().is_err()
        {
            log::error!("a search thread broke off");
        }
    }
}

/// Threads to search with, kept between searches together with what they have learned about moves.
pub struct SearchPool {
    /// Of the thread that calls [`search`](Self::search).
    memory: Memory,
    helpers: Vec<Helper>,
}

impl SearchPool {
    /// A pool of `threads` threads, the caller's among them; 0 counts as 1.
    #[must_use]
    pub fn new(threads: usize) -> SearchPool {
        let mut pool = SearchPool {
            memory: Memory::new(),
            helpers: Vec::new(),
        };
        pool.resize(threads);
        pool
    }

    /// Changes the number of threads. Where the system gives fewer, the pool has fewer.
    pub fn resize(&mut self, threads: usize) {
        // One that broke off is replaced.
        self.helpers.retain(Helper::is_alive);
        self.helpers.truncate(threads.max(1) - 1);
        while self.helpers.len() + 1 < threads {
            match Helper::start(self.helpers.len() + 1) {
                Ok(helper) => self.helpers.push(helper),
                Err(error) => {
                    log::info!("no more than {} threads: {error}", self.threads());
                    break;
                }
            }
        }
    }

    /// The number of threads.
    #[must_use]
    pub fn threads(&self) -> usize {
        self.helpers.len() + 1
    }

    /// Forgets what earlier searches learned about moves, so that the next one is the same as in a
    /// new pool.
    pub fn forget(&mut self) {
        self.memory.forget();
        for helper in &self.helpers {
            helper.order(Order::Forget);
        }
    }

    /// Searches the current position of `game` until a limit is reached or the control stops it. To
    /// be called from a thread with [`STACK`] bytes of stack.
    ///
    /// An unlimited or pondering search returns only when it is stopped, even if it has nothing left
    /// to think about; it then waits without using the processor.
    pub fn search(
        &mut self,
        shared: &Shared,
        game: &Game,
        limits: &Limits,
        observer: &mut dyn Observer,
    ) -> Report {
        driver::run(self, shared, game, limits, observer)
    }

    /// The memory of the caller's thread, for a small search without helpers.
    pub(super) fn memory(&mut self) -> &mut Memory {
        &mut self.memory
    }

    /// Sets so many helpers to work; gives the memory of the caller's thread and what to hear from.
    pub(super) fn begin(
        &mut self,
        helpers: usize,
        team: &Arc<Team>,
        job: impl Fn() -> Job,
    ) -> (&mut Memory, Helpers<'_>) {
        let mut asked = Vec::with_capacity(helpers);
        for helper in self.helpers.iter().take(helpers) {
            if helper.order(Order::Search(job())) {
                asked.push(&helper.outcomes);
            }
        }
        let helpers = Helpers {
            asked,
            team: team.clone(),
        };
        (&mut self.memory, helpers)
    }
}

/// The helpers at work. They are stopped and waited for even if the caller gives up halfway: the next
/// search must find them idle.
pub(super) struct Helpers<'a> {
    asked: Vec<&'a Receiver<Outcome>>,
    team: Arc<Team>,
}

impl Helpers<'_> {
    /// Stops them; what each of them found.
    pub(super) fn finish(mut self) -> Vec<Outcome> {
        self.stop()
    }

    fn stop(&mut self) -> Vec<Outcome> {
        self.team.halt.store(true, Ordering::Relaxed);
        let asked = std::mem::take(&mut self.asked);
        asked
            .into_iter()
            .filter_map(|outcomes| outcomes.recv().ok())
            .collect()
    }
}

impl Drop for Helpers<'_> {
    fn drop(&mut self) {
        self.stop();
    }
}
