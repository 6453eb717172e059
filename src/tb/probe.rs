//! Asking tables: which are there, and what they say of a position.

use crate::rules::{Game, GameEnd, Move, Position, movegen};
use crate::tb::MOST_PIECES;
use crate::tb::cache::{Cache, Key};
use crate::tb::codec::{self, BLOCK, Kind, Outcome};
use crate::tb::file::{self, Damage, Image, Source};
use crate::tb::index::Index;
use crate::tb::material::{Board, Material};
use crate::tb::value::Value;
use crate::tb::verdict::{Judge, Verdict};
use std::fs::File;
use std::ops::Deref;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, OnceLock, PoisonError};

/// The tables up to four pieces, part of the program: a bundle as `shashki tables build --pieces 4
/// --bundle FILE` writes it.
#[cfg(feature = "embedded-tables")]
const EMBEDDED: &[u8] = include_bytes!("embedded.bin");
#[cfg(not(feature = "embedded-tables"))]
const EMBEDDED: &[u8] = &[];

/// Unpacked blocks kept unless told otherwise, MiB.
pub const DEFAULT_CACHE_MIB: usize = 64;

/// Something that is wrong with tables; the others are used all the same.
#[derive(Debug, thiserror::Error)]
pub enum Complaint {
    /// A folder cannot be read.
    #[error("tables in {path}: {error}")]
    Folder {
        /// The folder.
        path: PathBuf,
        /// Why.
        error: std::io::Error,
    },
    /// There are none in a folder.
    #[error("no tables in {0}")]
    Empty(PathBuf),
    /// A file is bad.
    #[error("table {path} {damage}; it is not used")]
    File {
        /// The file.
        path: PathBuf,
        /// What is wrong.
        damage: Damage,
    },
}

/// A file of a class.
#[derive(Debug)]
struct Part {
    image: Image,
    path: PathBuf,
    /// For the cache.
    number: u32,
    /// The blocks, if all of them may stay once they are open: to read one is then no more than to look
    /// whether it is there, and threads do not get in each other's way (27 ns a probe, with two threads as
    /// well). Else they are in the cache (48 ns, and 95 with two threads that both write its locks).
    kept: Option<Box<[Slot]>>,
}

/// The place of a block that stays once it is open.
type Slot = OnceLock<Box<[u8]>>;

/// An unpacked block.
enum Block<'a> {
    Kept(&'a [u8]),
    Cached(Arc<[u8]>),
}

impl Deref for Block<'_> {
    type Target = [u8];

    fn deref(&self) -> &[u8] {
        match self {
            Block::Kept(bytes) => bytes,
            Block::Cached(bytes) => bytes,
        }
    }
}

/// What is there of a material.
#[derive(Debug)]
struct Class {
    /// The numbering of each side to move, and its first block.
    tables: Vec<(Index, u32)>,
    outcomes: Part,
    distances: Option<Part>,
    /// A block turned out to be damaged.
    broken: AtomicBool,
}

/// One file of a set, for those who want to know.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct FileInfo {
    /// The material, its canonical name.
    pub material: Material,
    /// Whether it holds distances; else outcomes.
    pub distances: bool,
    /// Where it is, "(built in)" for those of the program.
    pub path: PathBuf,
    /// Size, bytes.
    pub bytes: u64,
    /// Positions, either side to move.
    pub entries: u64,
    /// Greatest distance of a win or loss to the next capture or man's move, plies.
    pub longest: u8,
}

/// Tables to be asked: those of the program, those of folders, or both.
#[derive(Debug)]
pub struct Tables {
    classes: Vec<Class>,
    /// By [`place`]: the class and which of its tables; [`NONE`] if there is none.
    places: Vec<(u16, u8)>,
    cache: Cache,
    files: u32,
    /// What went wrong since it was last asked for.
    complaints: Mutex<Vec<Complaint>>,
}

const NONE: (u16, u8) = (u16::MAX, 0);
/// Numbers of pieces of one kind, 0 to [`MOST_PIECES`].
const COUNTS: usize = MOST_PIECES as usize + 1;

/// Where a material is noted; `None` if it has too many pieces.
fn place(material: Material) -> Option<usize> {
    let counts = [
        material.own_men,
        material.own_kings,
        material.opp_men,
        material.opp_kings,
    ];
    (material.pieces() <= MOST_PIECES).then(|| {
        counts
            .iter()
            .fold(0, |place, &count| place * COUNTS + usize::from(count))
    })
}

/// An entry: the class, which of its tables, the number there.
#[derive(Clone, Copy)]
struct Entry<'a> {
    class: &'a Class,
    table: usize,
    number: usize,
}

impl Tables {
    fn empty() -> Tables {
        Tables {
            classes: Vec::new(),
            places: vec![NONE; COUNTS.pow(4)],
            cache: Cache::new(0),
            files: 0,
            complaints: Mutex::default(),
        }
    }

    /// Shares out the room for unpacked blocks: three quarters at most to files whose blocks all fit, those
    /// of few pieces and outcomes first; the rest to the cache.
    fn share_out(mut self, cache_mib: usize) -> Tables {
        let room = cache_mib << 20;
        let mut order: Vec<(u8, bool, usize)> = Vec::new();
        for (at, class) in self.classes.iter().enumerate() {
            let pieces = class.outcomes.image.material.pieces();
            order.extend([(pieces, false, at), (pieces, true, at)]);
        }
        order.sort_unstable();
        let mut used = 0;
        for (_, distances, at) in order {
            let Some(class) = self.classes.get_mut(at) else {
                continue;
            };
            let part = if distances {
                class.distances.as_mut()
            } else {
                Some(&mut class.outcomes)
            };
            let Some(part) = part else { continue };
            let kind = part.image.kind;
            let lengths = class.tables.iter().map(|(index, _)| index.len());
            let bytes: usize = lengths.clone().map(|length| kind.bytes(length)).sum();
            if used + bytes <= room / 4 * 3 {
                let blocks = lengths.map(file::blocks_of).sum();
                part.kept = Some((0..blocks).map(|_| OnceLock::new()).collect());
                used += bytes;
            }
        }
        self.cache = Cache::new(room - used);
        self
    }

    /// The tables of the program and those in folders, of which the first one counts where several have
    /// the same. `cache_mib`: room for unpacked blocks, MiB. What could not be used is told by
    /// [`take_complaints`](Self::take_complaints).
    #[must_use]
    pub fn open(folders: &[PathBuf], cache_mib: usize) -> Tables {
        let mut tables = Tables::empty();
        tables.add_bundle(EMBEDDED);
        for folder in folders {
            tables.add_folder(folder);
        }
        tables.share_out(cache_mib)
    }

    /// The tables of the program alone; none if it was built without them.
    #[must_use]
    pub fn built_in(cache_mib: usize) -> Tables {
        Tables::open(&[], cache_mib)
    }

    /// The tables of a folder alone.
    #[must_use]
    pub fn of_folder(folder: &Path, cache_mib: usize) -> Tables {
        let mut tables = Tables::empty();
        tables.add_folder(folder);
        tables.share_out(cache_mib)
    }

    fn add_bundle(&mut self, bytes: &'static [u8]) {
        let path = || PathBuf::from("(built in)");
        let mut at = 0;
        let mut outcomes: Option<Image> = None;
        while at < bytes.len() as u64 {
            match Image::open(Source::Memory(bytes), at) {
                Ok(image) => {
                    at = image.end();
                    match image.kind {
                        Kind::Outcomes => {
                            if let Some(alone) = outcomes.replace(image) {
                                self.add(alone, path(), None);
                            }
                        }
                        Kind::Distances => {
                            if let Some(first) = outcomes.take() {
                                self.add(first, path(), Some((image, path())));
                            }
                        }
                    }
                }
                Err(damage) => {
                    let path = path();
                    self.complain(Complaint::File { path, damage });
                    break;
                }
            }
        }
        if let Some(alone) = outcomes {
            self.add(alone, path(), None);
        }
    }

    fn add_folder(&mut self, folder: &Path) {
        let failed = |error| Complaint::Folder {
            path: folder.to_owned(),
            error,
        };
        let entries = match std::fs::read_dir(folder) {
            Ok(entries) => entries,
            Err(error) => return self.complain(failed(error)),
        };
        let mut found = Vec::new();
        for entry in entries {
            match entry {
                Ok(entry) => found.push(entry.path()),
                Err(error) => return self.complain(failed(error)),
            }
        }
        found.retain(|path| is_table(path));
        // The order of a folder is that of the file system.
        found.sort();
        if found.is_empty() {
            return self.complain(Complaint::Empty(folder.to_owned()));
        }
        for path in found {
            let Some(outcomes) = self.open_file(&path, Kind::Outcomes) else {
                continue;
            };
            let beside = path.with_extension(extension(Kind::Distances));
            let distances = if beside.exists() {
                let image = self.open_file(&beside, Kind::Distances);
                image.map(|image| (image, beside))
            } else {
                None
            };
            self.add(outcomes, path, distances);
        }
    }

    /// Opens a file, or complains.
    fn open_file(&self, path: &Path, kind: Kind) -> Option<Image> {
        match open_named(path, kind) {
            Ok(image) => Some(image),
            Err(damage) => {
                let path = path.to_owned();
                self.complain(Complaint::File { path, damage });
                None
            }
        }
    }

    fn add(&mut self, outcomes: Image, path: PathBuf, distances: Option<(Image, PathBuf)>) {
        let material = outcomes.material;
        let mut number = 0;
        let tables = file::sides(material).map(|material| {
            let index = Index::new(material);
            let first = number;
            number += file::blocks_of(index.len()) as u32;
            (index, first)
        });
        let tables: Vec<(Index, u32)> = tables.collect();
        let class = self.classes.len() as u16;
        let free = place(material).and_then(|place| self.places.get(place)) == Some(&NONE);
        if !free {
            return;
        }
        for (table, side) in (0..).zip(file::sides(material)) {
            if let Some(place) = place(side).and_then(|place| self.places.get_mut(place)) {
                *place = (class, table);
            }
        }
        let mut part = |image, path| {
            self.files += 1;
            Part {
                image,
                path,
                number: self.files,
                kept: None,
            }
        };
        self.classes.push(Class {
            tables,
            outcomes: part(outcomes, path),
            distances: distances
                .filter(|(image, _)| image.material == material)
                .map(|(image, path)| part(image, path)),
            broken: AtomicBool::new(false),
        });
    }

    fn complain(&self, complaint: Complaint) {
        log::error!("{complaint}");
        let mut complaints = self
            .complaints
            .lock()
            .unwrap_or_else(PoisonError::into_inner);
        complaints.push(complaint);
    }

    /// What went wrong since the last call; each has been logged too.
    #[must_use]
    pub fn take_complaints(&self) -> Vec<Complaint> {
        let mut complaints = self
            .complaints
            .lock()
            .unwrap_or_else(PoisonError::into_inner);
        std::mem::take(&mut *complaints)
    }

    /// Greatest number of pieces of any table, 0 if there is none.
    #[must_use]
    pub fn most_pieces(&self) -> u8 {
        let pieces = |class: &Class| class.outcomes.image.material.pieces();
        self.classes.iter().map(pieces).max().unwrap_or(0)
    }

    /// The files, outcomes before distances of each material.
    pub fn files(&self) -> impl Iterator<Item = FileInfo> {
        self.classes.iter().flat_map(|class| {
            let entries = class.tables.iter().map(|(index, _)| index.len() as u64);
            let entries = entries.sum();
            let parts = std::iter::once(&class.outcomes).chain(&class.distances);
            parts.map(move |part| FileInfo {
                material: part.image.material,
                distances: part.image.kind == Kind::Distances,
                path: part.path.clone(),
                bytes: part.image.len(),
                entries,
                longest: part.image.longest,
            })
        })
    }

    /// The value of a position for its side to move; `None` where a capture is pending, a side has no
    /// pieces, or the tables do not say.
    #[must_use]
    pub fn probe(&self, position: &Position) -> Option<Value> {
        if movegen::has_capture(position) {
            return None;
        }
        self.probe_quiet(position)
    }

    /// The value of a position in which no capture is pending, as the caller knows; `None` where the tables
    /// do not say.
    #[must_use]
    pub fn probe_quiet(&self, position: &Position) -> Option<Value> {
        self.value(position, 0)
    }

    /// Like [`probe_quiet`](Self::probe_quiet), for those to whom all distances up to `within` plies are the
    /// same: the distance told may be greater than the true one, but not greater than `within` for it.
    /// Often it need not be looked up then.
    #[must_use]
    pub fn probe_roughly(&self, position: &Position, within: u8) -> Option<Value> {
        self.value(position, within)
    }

    fn value(&self, position: &Position, within: u8) -> Option<Value> {
        let entry = self.entry(position)?;
        let outcome = self.outcome(entry)?;
        let longest = entry.class.outcomes.image.longest;
        match outcome {
            Outcome::Draw => return Some(Value::Draw),
            Outcome::Win if longest <= within => return Some(Value::Win(longest)),
            Outcome::Loss if longest <= within => return Some(Value::Loss(longest)),
            _ => {}
        }
        let distances = entry.class.distances.as_ref()?;
        let block = self.block(entry, distances)?;
        let value = outcome.with_distance(*block.get(entry.number % BLOCK)?);
        if value.is_none() {
            let damage = Damage::Block((entry.number / BLOCK) as u32);
            self.give_up(entry.class, distances, damage);
        }
        value
    }

    /// The value of a position whether a capture is pending or not: captures are played out, and the
    /// game is over for who has no pieces. `None` where the tables do not say.
    #[must_use]
    pub fn resolve(&self, position: &Position) -> Option<Value> {
        if position.pieces(position.side()).is_empty() {
            return Some(Value::Loss(0));
        }
        if !movegen::has_capture(position) {
            return self.probe_quiet(position);
        }
        let mut best = Value::Loss(1);
        for mv in position.legal_moves() {
            let value = self.resolve(&position.play(mv))?.before_zeroing();
            if value.rank() > best.rank() {
                best = value;
            }
        }
        Some(best)
    }

    /// The value of a position by each of its moves, from the view of the side to move, the counter of
    /// the 15-move rule being at zero; `None` where the tables do not know all of them.
    #[must_use]
    pub fn by_moves(&self, position: &Position) -> Option<Vec<(Move, Value)>> {
        let moves = position.legal_moves();
        // Usually it is plain that there are too many pieces.
        let captured = moves.iter().map(|mv| mv.captured().count()).max()?;
        if position.occupied().count() > u32::from(self.most_pieces()) + captured {
            return None;
        }
        let value = |&mv: &Move| {
            let after = self.resolve(&position.play(mv))?;
            Some((mv, after.before(mv)))
        };
        moves.iter().map(value).collect()
    }

    /// The result of best play after a legal move of a game, under its rules and counters, and the value of
    /// the position by the move; both from the view of the side that makes it. `None` where that is not
    /// certain.
    #[must_use]
    pub fn by_move(&self, judge: &Judge<'_>, game: &Game, mv: Move) -> Option<(Verdict, Value)> {
        let mut game = game.clone();
        game.play(mv);
        let after = game.position();
        let value = self.resolve(after)?;
        let by_move = value.before(mv);
        if matches!(game.end(), Some(GameEnd::Draw(_))) {
            return Some((Verdict::DrawByCounter, by_move));
        }
        let turned = match judge.verdict(value, after, game.clock(), 0)? {
            Verdict::Win => Verdict::Loss,
            Verdict::Loss => Verdict::Win,
            drawn => drawn,
        };
        Some((turned, by_move))
    }

    fn entry(&self, position: &Position) -> Option<Entry<'_>> {
        let &(class, table) = self.places.get(place(Material::of(position))?)?;
        let class = self.classes.get(usize::from(class))?;
        let table = usize::from(table);
        let (index, _) = class.tables.get(table)?;
        Some(Entry {
            class,
            table,
            number: index.of(&Board::of(position)),
        })
    }

    fn outcome(&self, entry: Entry<'_>) -> Option<Outcome> {
        let block = self.block(entry, &entry.class.outcomes)?;
        codec::outcome(&block, entry.number % BLOCK)
    }

    /// The unpacked block of an entry.
    fn block<'a>(&self, entry: Entry<'_>, part: &'a Part) -> Option<Block<'a>> {
        let (index, first) = entry.class.tables.get(entry.table)?;
        let within = entry.number / BLOCK;
        let block = first + within as u32;
        let kept = part.kept.as_ref().and_then(|kept| kept.get(block as usize));
        if let Some(bytes) = kept.and_then(OnceLock::get) {
            return Some(Block::Kept(bytes));
        }
        let key = Key {
            file: part.number,
            block,
        };
        if kept.is_none()
            && let Some(bytes) = self.cache.get(key)
        {
            return Some(Block::Cached(bytes));
        }
        if entry.class.broken.load(Ordering::Relaxed) {
            return None;
        }
        let entries = (index.len() - within * BLOCK).min(BLOCK);
        match part.image.block(block, entries) {
            Ok(bytes) => Some(match kept {
                Some(kept) => Block::Kept(kept.get_or_init(|| bytes)),
                None => Block::Cached(self.cache.add(key, bytes)),
            }),
            Err(damage) => {
                self.give_up(entry.class, part, damage);
                None
            }
        }
    }

    /// Stops using a class, and says so once.
    fn give_up(&self, class: &Class, part: &Part, damage: Damage) {
        if !class.broken.swap(true, Ordering::Relaxed) {
            let path = part.path.clone();
            self.complain(Complaint::File { path, damage });
        }
    }
}

/// Whether a file is meant to hold outcomes; what a builder has not finished begins with a dot.
fn is_table(path: &Path) -> bool {
    let hidden = path
        .file_name()
        .is_some_and(|name| name.to_string_lossy().starts_with('.'));
    !hidden
        && path
            .extension()
            .is_some_and(|end| end == extension(Kind::Outcomes))
}

/// How files of a kind end.
pub(super) fn extension(kind: Kind) -> &'static str {
    match kind {
        Kind::Outcomes => "wdl",
        Kind::Distances => "dtz",
    }
}

/// Opens a file that must hold what its name says.
pub(super) fn open_named(path: &Path, kind: Kind) -> Result<Image, Damage> {
    let image = Image::open(Source::File(Mutex::new(File::open(path)?)), 0)?;
    let name = image.material.to_string();
    let named = path.file_stem().is_some_and(|stem| stem == name.as_str());
    if named && image.kind == kind {
        Ok(image)
    } else {
        Err(Damage::Misnamed(name))
    }
}
