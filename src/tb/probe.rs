//! Asking tables: which are there, and what they say of a position.

use crate::rules::{Move, Position, movegen};
use crate::tb::MOST_PIECES;
use crate::tb::cache::{Cache, Key};
use crate::tb::codec::{self, BLOCK, Kind, Outcome};
use crate::tb::file::{self, Damage, Image, Source};
use crate::tb::index::Index;
use crate::tb::material::{Board, Material};
use crate::tb::value::Value;
use std::fs::File;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError};

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
    /// No tables, with room for so many bytes of unpacked blocks.
    fn empty(cache: usize) -> Tables {
        Tables {
            classes: Vec::new(),
            places: vec![NONE; COUNTS.pow(4)],
            cache: Cache::new(cache),
            files: 0,
            complaints: Mutex::default(),
        }
    }

    /// The tables of the program and those in folders, of which the first one counts where several have
    /// the same. `cache_mib`: room for unpacked blocks, MiB. What could not be used is told by
    /// [`take_complaints`](Self::take_complaints).
    #[must_use]
    pub fn open(folders: &[PathBuf], cache_mib: usize) -> Tables {
        let mut tables = Tables::built_in(cache_mib);
        for folder in folders {
            tables.add_folder(folder);
        }
        tables
    }

    /// The tables of the program alone; none if it was built without them.
    #[must_use]
    pub fn built_in(cache_mib: usize) -> Tables {
        let mut tables = Tables::empty(cache_mib << 20);
        tables.add_bundle(EMBEDDED);
        tables
    }

    /// The tables of a folder alone.
    #[must_use]
    pub fn of_folder(folder: &Path, cache_mib: usize) -> Tables {
        let mut tables = Tables::empty(cache_mib << 20);
        tables.add_folder(folder);
        tables
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
        found.retain(|path| {
            path.extension()
                .is_some_and(|end| end == extension(Kind::Outcomes))
        });
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
        let entry = self.entry(position)?;
        let outcome = self.outcome(entry)?;
        if outcome == Outcome::Draw {
            return Some(Value::Draw);
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
    fn block(&self, entry: Entry<'_>, part: &Part) -> Option<Arc<[u8]>> {
        let (index, first) = entry.class.tables.get(entry.table)?;
        let within = entry.number / BLOCK;
        let block = first + within as u32;
        let key = Key {
            file: part.number,
            block,
        };
        if let Some(block) = self.cache.get(key) {
            return Some(block);
        }
        if entry.class.broken.load(Ordering::Relaxed) {
            return None;
        }
        let entries = (index.len() - within * BLOCK).min(BLOCK);
        match part.image.block(block, entries) {
            Ok(bytes) => Some(self.cache.add(key, bytes)),
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
