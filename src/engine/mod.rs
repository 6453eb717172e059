//! An engine as its users see it: a position, options, and a search that can be started and stopped.
//!
//! Knows no protocol and prints nothing. Several engines may live in one process.

pub mod bench;
pub mod options;

use crate::book::Book;
use crate::eval::Network;
use crate::notation::{Fen, FenError, MoveError, Numbering, Spelling, fen, movetext};
use crate::rules::{DrawRules, Game, Move, Position};
use crate::score::Score;
use crate::search::{self, Control, Endings, Info, Limits, Observer, Report, SearchPool, Shared};
use crate::tb::Tables;
use crate::tt::{OutOfMemory, TranspositionTable};
use options::Options;
use std::hash::{BuildHasher, RandomState};
use std::io;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError, TryLockError};
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

/// The game that a position, the start position without one, and moves lead to, numbers of squares read so,
/// and the plies without progress that came before the position.
///
/// # Errors
/// The first fault.
pub fn read_game<'a>(
    fen: Option<&str>,
    moves: impl IntoIterator<Item = &'a str>,
    rules: &DrawRules,
    numbering: Numbering,
) -> Result<(Game, u16), PositionError> {
    let start = match fen {
        Some(text) => fen::read(text, numbering)?,
        None => Fen {
            position: Position::start(),
            half_moves: 0,
        },
    };
    let mut game = Game::continued(start.position, rules.clone(), start.half_moves);
    for (number, text) in (1..).zip(moves) {
        let mv = movetext::read(game.position(), text, numbering)
            .map_err(|error| PositionError::Move { number, error })?;
        game.play(mv);
    }
    Ok((game, start.half_moves))
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

/// A file as it was when it was read.
#[derive(Clone, PartialEq, Eq, Debug)]
struct Source {
    path: PathBuf,
    changed: Option<SystemTime>,
}

impl Source {
    fn now(path: &Path) -> Source {
        let about = std::fs::metadata(path);
        Source {
            path: path.to_owned(),
            changed: about.and_then(|about| about.modified()).ok(),
        }
    }

    /// What is in the file; why not, in a sentence that begins with what it should be and its name.
    fn read<T, E: ToString>(
        &self,
        what: &str,
        of_bytes: impl FnOnce(&[u8]) -> Result<T, E>,
    ) -> Result<T, String> {
        let bytes = std::fs::read(&self.path).map_err(|error| error.to_string());
        bytes
            .and_then(|bytes| of_bytes(&bytes).map_err(|bad| bad.to_string()))
            .map_err(|error| format!("{what} {}: {error}", self.path.display()))
    }
}

/// The answer where a book has it: no search, but a line with a score like any other.
fn from_book(best: Move, value: i16, control: &Control, observer: &mut dyn Observer) -> Report {
    let (score, line) = (Score::evaluation(value.into()), vec![best]);
    let time = control.elapsed();
    observer.info(&Info {
        depth: 1,
        selective_depth: 1,
        rank: 1,
        score,
        nodes: 0,
        time,
        hash_per_mille: 0,
        table_hits: 0,
        settled: false,
        line: line.clone(),
    });
    Report {
        best: Some(best),
        ponder: None,
        score,
        depth: 1,
        nodes: 0,
        time,
        line,
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
    eval_file: Option<Source>,
    /// The book, once one has been wanted, and the file it is from, `None` for the built-in one.
    book: Option<(Option<Source>, Arc<Book>)>,
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
            book: None,
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
        if rules_changed {
            self.renew_game();
        }
    }

    /// Plays the current game again under the draw rules of the options.
    fn renew_game(&mut self) {
        let Some(old) = &self.game else { return };
        let rules = self.options.draw_rules.clone();
        let mut game = Game::continued(*old.start(), rules, self.half_moves);
        for &mv in old.moves() {
            game.play(mv);
        }
        self.game = Some(game);
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
        let (numbering, rules) = (self.options.numbering, &self.options.draw_rules);
        let (game, half_moves) = read_game(fen, moves, rules, numbering)?;
        self.half_moves = half_moves;
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

    /// Makes a copy of this game the current one, with its counters, under the draw rules of the options.
    pub fn set_game_of(&mut self, game: &Game) {
        self.half_moves = game.start_clock().reversible();
        self.game = Some(game.clone());
        self.renew_game();
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
    /// fails. A search that is under way goes on with what it has, and they are read after it.
    fn read_weights(&mut self) {
        let wanted = self.options.eval_file.as_deref().map(Source::now);
        if self.eval_file == wanted || self.is_searching() {
            return;
        }
        self.eval_file = wanted;
        let network = match &self.eval_file {
            None => Ok(Network::built_in()),
            Some(source) => source.read("weights", Network::from_bytes),
        };
        match network {
            Ok(network) => {
                self.network = Arc::new(network);
                // Scores of other weights mean nothing any more.
                self.new_game();
            }
            Err(complaint) => self.complain(format!("{complaint}; the old ones stay")),
        }
    }

    fn is_searching(&self) -> bool {
        matches!(self.pool.try_lock(), Err(TryLockError::WouldBlock))
    }

    fn complain(&mut self, complaint: String) {
        log::error!("{complaint}");
        self.complaints.push(complaint);
    }

    /// Reads the book that the options want, if it is not the one in use. Where that fails the engine has
    /// an empty one: what the user does not want must not be played.
    fn read_book(&mut self) {
        if !self.options.own_book {
            return;
        }
        let wanted = self.options.book_file.as_deref().map(Source::now);
        if self
            .book
            .as_ref()
            .is_some_and(|(source, _)| *source == wanted)
        {
            return;
        }
        let book = match &wanted {
            None => Ok(Book::built_in()),
            Some(source) => source.read("book", Book::from_bytes),
        };
        let book = book.unwrap_or_else(|complaint| {
            self.complain(format!("{complaint}; there is no book"));
            Book::default()
        });
        self.book = Some((wanted, Arc::new(book)));
    }

    /// The move of the book that is played now, with its value in centi-men, if there is one: only where the
    /// engine would have to move, not where somebody asks what it thinks, and not back to where the game has
    /// been: of repetitions a book knows nothing.
    fn book_move(&self, game: &Game, limits: &Limits) -> Option<(Move, i16)> {
        let asked = limits.analysis
            || limits.is_unlimited()
            || limits.mate.is_some()
            || limits.multi_pv > 1
            || !limits.search_moves.is_empty();
        if !self.options.own_book || asked || game.end().is_some() {
            return None;
        }
        let (_, book) = self.book.as_ref()?;
        let random = RandomState::new().hash_one(game.moves().len());
        let (mv, value) = book.choose(game.position(), self.options.book_margin, random)?;
        let after = game.position().play(mv);
        (!game.positions().contains(&after)).then_some((mv, value))
    }

    /// What went wrong with endgame tables, weights and books since the last call, in whole sentences. It has been
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

    /// Reads weights and book, opens endgame tables, and makes the transposition table in the size that the options want.
    ///
    /// # Errors
    /// There is not enough memory; the old table stays in use, or a small one if there was none.
    pub fn get_ready(&mut self) -> Result<(), OutOfMemory> {
        self.read_weights();
        self.read_book();
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
        let book_move = self.book_move(&game, &limits);
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
            let report = if let Some((best, value)) = book_move {
                from_book(best, value, &shared.control, &mut observer)
            } else {
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
