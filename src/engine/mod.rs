//! An engine as its users see it: a position, options, and a search that can be started and stopped.
//!
//! Knows no protocol and prints nothing. Several engines may live in one process.

pub mod bench;
pub mod options;

use crate::eval::Network;
use crate::notation::{Fen, FenError, MoveError, Spelling, fen, movetext};
use crate::rules::{Game, Move, Position};
use crate::search::{self, Control, Endings, Limits, Observer, Report, SearchPool, Shared};
use crate::tb::Tables;
use crate::tt::{OutOfMemory, TranspositionTable};
use options::Options;
use std::io;
use std::path::PathBuf;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, SystemTime};

/// What a position command could not do.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum PositionError {
    /// The text of the position is bad.
    #[error(transparent)]
    Fen(#[from] FenError),
    /// A move is bad.
    #[error("move {number}: {error}")]
    Move {
        /// Its number among the moves, from 1.
        number: usize,
        /// What is wrong.
        error: MoveError,
    },
}

/// A search under way.
#[derive(Clone)]
pub struct Running {
    control: Arc<Control>,
    /// Whether it would go on for ever even without pondering.
    endless: bool,
}

impl Running {
    /// Asks the search to end.
    pub fn stop(&self) {
        self.control.stop();
    }

    /// Tells a pondering search that its clock runs now.
    pub fn ponder_hit(&self) {
        self.control.ponder_hit();
    }

    /// Whether, as things are, only a stop would end the search, and none has come.
    #[must_use]
    pub fn is_endless(&self) -> bool {
        (self.endless || self.control.is_pondering()) && !self.control.is_stopped()
    }
}

/// Folders, and the size of the cache in MiB.
type EndingOptions = (Vec<PathBuf>, usize);

/// A position, options and the memory of earlier searches.
pub struct Engine {
    options: Options,
    table: Option<Arc<TranspositionTable>>,
    /// The threads and what they remember.
    pool: Arc<Mutex<SearchPool>>,
    /// Size of the table that `table` has, in MiB.
    table_mib: usize,
    /// The weights by which positions are judged, and the file they are from as it was then.
    network: Arc<Network>,
    eval_file: Option<(PathBuf, Option<SystemTime>)>,
    /// What went wrong with files since it was last asked for.
    complaints: Vec<String>,
    /// Endgame tables, and the options they were opened by.
    endings: Option<(EndingOptions, Arc<Tables>)>,
    /// A size for which there was no memory, MiB: not tried again before the option changes.
    refused_mib: Option<usize>,
    /// The game to think about; `None` after a position that could not be understood.
    game: Option<Game>,
    half_moves: u16,
}

impl Default for Engine {
    fn default() -> Engine {
        Engine::new()
    }
}

impl Engine {
    /// An engine at the start position with default options. Large tables are made by
    /// [`get_ready`](Self::get_ready) or by the first search.
    #[must_use]
    pub fn new() -> Engine {
        let options = Options::default();
        let game = Game::new(Position::start(), options.draw_rules.clone());
        Engine {
            options,
            table: None,
            pool: Arc::new(Mutex::new(SearchPool::new(1))),
            table_mib: 0,
            network: Arc::new(Network::built_in()),
            eval_file: None,
            complaints: Vec::new(),
            endings: None,
            refused_mib: None,
            game: Some(game),
            half_moves: 0,
        }
    }

    /// An engine at the start position with these options.
    #[must_use]
    pub fn with_options(options: Options) -> Engine {
        let mut engine = Engine::new();
        engine.set_options(options);
        engine
    }

    /// The options.
    #[must_use]
    pub fn options(&self) -> &Options {
        &self.options
    }

    /// Changes the options. A new set of draw rules applies to the current game at once; a new size
    /// of the table applies when it is next needed.
    pub fn set_options(&mut self, options: Options) {
        let rules_changed = options.draw_rules != self.options.draw_rules;
        self.options = options;
        if rules_changed && let Some(old) = &self.game {
            let rules = self.options.draw_rules.clone();
            let mut game = Game::continued(*old.start(), rules, self.half_moves);
            for &mv in old.moves() {
                game.play(mv);
            }
            self.game = Some(game);
        }
    }

    /// The current game, `None` after a bad position.
    #[must_use]
    pub fn game(&self) -> Option<&Game> {
        self.game.as_ref()
    }

    /// How squares are written in answers.
    #[must_use]
    pub fn spelling(&self) -> Spelling {
        self.options.spelling()
    }

    /// Sets up a position and plays moves; numbers are read as the options say.
    ///
    /// # Errors
    /// The first fault. There is then no current game: the old one must not be analysed by mistake.
    pub fn set_position<'a>(
        &mut self,
        fen: Option<&str>,
        moves: impl IntoIterator<Item = &'a str>,
    ) -> Result<(), PositionError> {
        self.game = None;
        let numbering = self.options.numbering;
        let start = match fen {
            Some(text) => fen::read(text, numbering)?,
            None => Fen {
                position: Position::start(),
                half_moves: 0,
            },
        };
        let rules = self.options.draw_rules.clone();
        let mut game = Game::continued(start.position, rules, start.half_moves);
        for (number, text) in (1..).zip(moves) {
            let mv = movetext::read(game.position(), text, numbering)
                .map_err(|error| PositionError::Move { number, error })?;
            game.play(mv);
        }
        self.half_moves = start.half_moves;
        self.game = Some(game);
        Ok(())
    }

    /// Makes a game the current one.
    pub fn set_game(&mut self, start: Position, moves: &[Move]) {
        let mut game = Game::new(start, self.options.draw_rules.clone());
        for &mv in moves {
            game.play(mv);
        }
        self.half_moves = 0;
        self.game = Some(game);
    }

    /// Forgets the current game, so that nothing is searched until there is a new one.
    pub fn clear_position(&mut self) {
        self.game = None;
    }

    /// Exchanges the colours of the current position; the moves that led to it are forgotten.
    pub fn flip(&mut self) {
        if let Some(game) = &self.game {
            let flipped = game.position().color_flipped();
            self.set_game(flipped, &[]);
        }
    }

    /// Opens the endgame tables that the options want, if they are not open already.
    fn open_endings(&mut self) {
        let options = &self.options;
        if options.endgame_pieces == 0 {
            self.endings = None;
            return;
        }
        let wanted = (options.endgame_path.clone(), options.endgame_cache_mib);
        if self.endings.as_ref().is_none_or(|(old, _)| *old != wanted) {
            let tables = Arc::new(Tables::open(&wanted.0, wanted.1));
            self.endings = Some((wanted, tables));
        }
    }

    /// Reads the weights that the options want, if they are not those in use; the old ones stay where that
    /// fails.
    fn read_weights(&mut self) {
        let wanted = self.options.eval_file.clone().map(|path| {
            let about = std::fs::metadata(&path);
            let time = about.and_then(|about| about.modified());
            (path, time.ok())
        });
        if self.eval_file == wanted {
            return;
        }
        self.eval_file = wanted;
        let network = match &self.eval_file {
            None => Ok(Network::built_in()),
            Some((path, _)) => std::fs::read(path)
                .map_err(|error| error.to_string())
                .and_then(|bytes| Network::from_bytes(&bytes).map_err(|bad| bad.to_string()))
                .map_err(|error| format!("weights {}: {error}; the old ones stay", path.display())),
        };
        match network {
            Ok(network) => {
                self.network = Arc::new(network);
                // Scores of other weights mean nothing any more.
                self.new_game();
            }
            Err(complaint) => {
                log::error!("{complaint}");
                self.complaints.push(complaint);
            }
        }
    }

    /// What went wrong with endgame tables and weights since the last call, in whole sentences. It has been
    /// logged too.
    #[must_use]
    pub fn complaints(&mut self) -> Vec<String> {
        let mut complaints = std::mem::take(&mut self.complaints);
        if let Some((_, tables)) = &self.endings {
            let more = tables.take_complaints();
            complaints.extend(more.iter().map(ToString::to_string));
        }
        complaints
    }

    /// Reads weights, opens endgame tables, and makes the transposition table in the size that the options want.
    ///
    /// # Errors
    /// There is not enough memory; the old table stays in use, or a small one if there was none.
    pub fn get_ready(&mut self) -> Result<(), OutOfMemory> {
        self.read_weights();
        self.open_endings();
        let wanted = self.options.hash_mib;
        let settled = self.table_mib == wanted || self.refused_mib == Some(wanted);
        if self.table.is_some() && settled {
            return Ok(());
        }
        // The old table goes first, so that both need not fit at once, but only if that is enough.
        if TranspositionTable::fits(wanted, self.table_mib) {
            self.table = None;
            if let Ok(table) = TranspositionTable::new(wanted) {
                self.table = Some(Arc::new(table));
                self.table_mib = wanted;
                self.refused_mib = None;
                return Ok(());
            }
        }
        self.refused_mib = Some(wanted);
        if self.table.is_none() {
            self.table_mib = self.table_mib.max(1);
            self.table = TranspositionTable::new(self.table_mib).ok().map(Arc::new);
        }
        Err(OutOfMemory { mib: wanted })
    }

    /// Forgets all that earlier searches found. Waits for the end of a search that is under way.
    pub fn new_game(&mut self) {
        if let Some(table) = &self.table {
            table.clear(self.options.threads);
        }
        let mut pool = self.pool.lock().unwrap_or_else(PoisonError::into_inner);
        pool.forget();
    }

    /// Starts a search of the current position in a thread of its own. `observer` is told how it
    /// goes, `done` what came of it; both are called from that thread.
    ///
    /// # Errors
    /// There is no current position, no memory, or no thread; nothing has been started.
    pub fn go(
        &mut self,
        limits: Limits,
        mut observer: impl Observer + Send + 'static,
        done: impl FnOnce(Report) + Send + 'static,
    ) -> io::Result<Running> {
        let game = self
            .game
            .clone()
            .ok_or_else(|| io::Error::other("no valid position"))?;
        if let Err(error) = self.get_ready() {
            log::info!("{error}");
        }
        let table = self
            .table
            .clone()
            .ok_or_else(|| io::Error::other("no memory for a table"))?;
        let control = Arc::new(Control::new(limits.ponder));
        let without_pondering = Limits {
            ponder: false,
            ..limits.clone()
        };
        let running = Running {
            control: control.clone(),
            endless: without_pondering.is_unlimited(),
        };
        let threads = self.options.threads;
        let limits = Limits {
            handicap: self.options.handicap(),
            ..limits
        };
        let shared = Shared {
            table,
            control,
            params: Arc::new(self.options.params.clone()),
            network: self.network.clone(),
            endings: self.endings.as_ref().map(|(_, tables)| Endings {
                tables: tables.clone(),
                most_pieces: self.options.endgame_pieces.min(tables.most_pieces()),
            }),
        };
        let pool = self.pool.clone();
        let think = move || {
            let report = {
                // A second search, if anybody starts one, waits for the first.
                let mut pool = pool.lock().unwrap_or_else(PoisonError::into_inner);
                pool.resize(threads);
                pool.search(&shared, &game, &limits, &mut observer)
            };
            // The engine may want the memory for another table as soon as it has the answer.
            drop(shared);
            done(report);
        };
        std::thread::Builder::new()
            .name("search".to_owned())
            .stack_size(search::STACK)
            .spawn(think)?;
        Ok(running)
    }

    /// The weights by which positions are judged.
    #[must_use]
    pub fn network(&self) -> &Network {
        &self.network
    }

    /// The time held back from each move for what lies between engine and clock.
    #[must_use]
    pub fn overhead(&self) -> Duration {
        self.options.move_overhead
    }
}
