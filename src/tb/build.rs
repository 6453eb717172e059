//! A folder of tables: made class by class, each file whole or not there, and proven.
//!
//! Work done is never done again: a class whose two files are good is taken over. Only what the classes
//! still to come depend on is kept in memory.

use crate::tb::codec::Kind;
use crate::tb::file::{self, Damage};
use crate::tb::index::Index;
use crate::tb::material::Material;
use crate::tb::probe::{extension, open_named};
use crate::tb::solution::{Advance, Solution, Solved};
use crate::tb::verify::{Counts, Fault};
use std::fs::{File, TryLockError};
use std::io::{self, Write};
use std::path::{Path, PathBuf};

/// Begins the names of files that are being written.
const UNFINISHED: &str = ".unfinished-";
/// Holds the folder against another builder.
const LOCK: &str = ".lock";

/// Why tables were not made or not proven.
#[derive(Debug, thiserror::Error)]
pub enum BuildError {
    /// A file or folder could not be read or written.
    #[error("{path}: {error}")]
    Io {
        /// Which.
        path: PathBuf,
        /// Why.
        error: io::Error,
    },
    /// Somebody else builds there.
    #[error("{0}: another program is making tables in this folder")]
    Busy(PathBuf),
    /// A file is bad.
    #[error("{path} {damage}; delete it and make the tables again")]
    File {
        /// The file.
        path: PathBuf,
        /// What is wrong.
        damage: Damage,
    },
    /// There is less memory than it takes.
    #[error("needs {needed} MiB of memory, {allowed} MiB are allowed")]
    Memory {
        /// What it takes, MiB.
        needed: u64,
        /// The limit, MiB.
        allowed: u64,
    },
    /// Files are missing that others depend on.
    #[error("{path} cannot be proven without the tables of {missing}")]
    Missing {
        /// What cannot be proven.
        path: PathBuf,
        /// What is missing.
        missing: String,
    },
    /// A value does not follow from its successors.
    #[error("{path}: {fault:?}; delete the file and make the tables again")]
    Fault {
        /// The file.
        path: PathBuf,
        /// What is wrong.
        fault: Fault,
    },
}

/// What happens while tables are made or proven.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Event {
    /// So many entries are ahead.
    Ahead(u64),
    /// A material has its turn.
    Begun(Material),
    /// So many entries more are finished.
    Entries(u64),
}

/// Is told what happens, from any thread.
pub type Observer<'a> = &'a (dyn Fn(Event) + Sync);

/// Positions of a material, either side to move.
pub(super) fn entries(material: Material) -> u64 {
    let entries = file::sides(material).map(|side| Index::new(side).len() as u64);
    entries.sum()
}

/// One material's turn: what is loaded for it, and what is dropped behind it.
struct Turn {
    material: Material,
    load: Vec<Material>,
    drop: Vec<Material>,
}

/// How to go through materials, in the order of their dependence. With `itself`, each is loaded, not
/// made.
fn plan(materials: &[Material], itself: bool) -> Vec<Turn> {
    let mut held: Vec<Material> = Vec::new();
    let mut turns = Vec::new();
    for (at, &material) in materials.iter().enumerate() {
        let mut load = Vec::new();
        let mut wanted = material.successors();
        wanted.extend(itself.then_some(material));
        for wanted in wanted {
            with_captures(wanted, &held, &mut load);
        }
        held.extend(&load);
        if !itself {
            held.push(material);
        }
        let later = &materials[at + 1..];
        let mut needed: Vec<Material> = later.iter().flat_map(|m| m.successors()).collect();
        needed.sort_unstable();
        let (keep, drop) = held
            .iter()
            .partition(|held| needed.binary_search(held).is_ok());
        held = keep;
        turns.push(Turn {
            material,
            load,
            drop,
        });
    }
    turns
}

/// Adds to `load` a material that is not held, and before it what its captures lead to.
fn with_captures(wanted: Material, held: &[Material], load: &mut Vec<Material>) {
    if held.contains(&wanted) || load.contains(&wanted) {
        return;
    }
    for after in wanted.successors() {
        if after.pieces() < wanted.pieces() {
            with_captures(after, held, load);
        }
    }
    load.push(wanted);
}

/// Memory that a plan takes, MiB: a byte for each entry held at a time, and some more to work in.
fn memory(turns: &[Turn]) -> u64 {
    let (mut held, mut most) = (0, 0);
    for turn in turns {
        held += turn.load.iter().map(|&m| entries(m)).sum::<u64>();
        let made = if turn.load.contains(&turn.material) {
            0
        } else {
            entries(turn.material)
        };
        held += made;
        most = most.max(held + held / 8);
        held -= turn.drop.iter().map(|&m| entries(m)).sum::<u64>();
    }
    (most >> 20) + 32
}

fn path_of(folder: &Path, material: Material, kind: Kind) -> PathBuf {
    folder.join(format!("{material}.{}", extension(kind)))
}

/// Makes all tables of 2 to `pieces` pieces in a folder, in the threads of the current pool. `memory_mib`:
/// most memory to take, MiB. A class that is there and whole is left as it is. Gives the number of positions
/// solved.
///
/// # Errors
/// Nothing of what was finished is lost.
pub fn build(
    folder: &Path,
    pieces: u8,
    memory_mib: Option<u64>,
    tell: Observer<'_>,
) -> Result<u64, BuildError> {
    let failed = |path: &Path, error| BuildError::Io {
        path: path.to_owned(),
        error,
    };
    std::fs::create_dir_all(folder).map_err(|error| failed(folder, error))?;
    let _lock = lock(folder)?;
    remove_unfinished(folder).map_err(|error| failed(folder, error))?;
    let all = (2..=pieces).flat_map(Material::all);
    let missing: Vec<Material> = all.filter(|&m| !is_whole(folder, m)).collect();
    let turns = plan(&missing, false);
    let needed = memory(&turns);
    if let Some(allowed) = memory_mib.filter(|&allowed| allowed < needed && !turns.is_empty()) {
        return Err(BuildError::Memory { needed, allowed });
    }
    let ahead = missing.iter().map(|&m| entries(m)).sum();
    tell(Event::Ahead(ahead));
    let mut solution = Solution::default();
    for turn in turns {
        tell(Event::Begun(turn.material));
        for material in turn.load {
            load(&mut solution, folder, material)?;
        }
        let advance: Advance<'_> = &|entries| tell(Event::Entries(entries));
        solution.solve(turn.material, advance);
        for kind in [Kind::Outcomes, Kind::Distances] {
            let path = path_of(folder, turn.material, kind);
            let bytes = file::write(kind, turn.material, &solution.tables(turn.material));
            replace(folder, &path, &bytes).map_err(|error| failed(&path, error))?;
        }
        turn.drop
            .into_iter()
            .for_each(|m| solution.drop_material(m));
    }
    Ok(ahead)
}

/// Makes all tables of 2 to `pieces` pieces and writes them to one file, as the program has them built
/// in. Gives the number of positions solved.
///
/// # Errors
/// The file cannot be written.
pub fn bundle(path: &Path, pieces: u8) -> Result<u64, BuildError> {
    let bytes = bundled(&Solution::of_all(pieces), pieces);
    let parent = path
        .parent()
        .filter(|parent| !parent.as_os_str().is_empty());
    let folder = parent.unwrap_or(Path::new("."));
    replace(folder, path, &bytes).map_err(|error| BuildError::Io {
        path: path.to_owned(),
        error,
    })?;
    Ok((2..=pieces).flat_map(Material::all).map(entries).sum())
}

/// The bytes of a bundle.
pub(super) fn bundled(solution: &Solution, pieces: u8) -> Vec<u8> {
    let mut bytes = Vec::new();
    for material in (2..=pieces).flat_map(Material::all) {
        for kind in [Kind::Outcomes, Kind::Distances] {
            bytes.extend(file::write(kind, material, &solution.tables(material)));
        }
    }
    bytes
}

/// Proves the tables of a folder: every checksum, and that every value follows from its successors. Gives
/// the number of positions proven; `counted` is told of each material and side to move.
///
/// # Errors
/// The first fault found.
pub fn verify(
    folder: &Path,
    tell: Observer<'_>,
    mut counted: impl FnMut(&Counts),
) -> Result<u64, BuildError> {
    let there = |material: &Material| {
        [Kind::Outcomes, Kind::Distances]
            .iter()
            .any(|&kind| path_of(folder, *material, kind).exists())
    };
    let all = (2..=crate::tb::MOST_PIECES).flat_map(Material::all);
    let materials: Vec<Material> = all.filter(there).collect();
    if materials.is_empty() {
        return Err(BuildError::Io {
            path: folder.to_owned(),
            error: io::Error::other("no tables in this folder"),
        });
    }
    let ahead = materials.iter().map(|&m| entries(m)).sum();
    tell(Event::Ahead(ahead));
    let mut solution = Solution::default();
    for turn in plan(&materials, true) {
        tell(Event::Begun(turn.material));
        let path = path_of(folder, turn.material, Kind::Outcomes);
        for material in turn.load {
            if !there(&material) {
                let missing = material.to_string();
                return Err(BuildError::Missing { path, missing });
            }
            load(&mut solution, folder, material)?;
        }
        for side in file::sides(turn.material) {
            if let Some(fault) = solution.verify(side) {
                return Err(BuildError::Fault { path, fault });
            }
            if let Some(counts) = solution.counts(side) {
                counted(&counts);
            }
        }
        tell(Event::Entries(entries(turn.material)));
        turn.drop
            .into_iter()
            .for_each(|m| solution.drop_material(m));
    }
    Ok(ahead)
}

impl Solution {
    /// The tables of a material in the order of a file.
    fn tables(&self, material: Material) -> Vec<&Solved> {
        file::sides(material)
            .filter_map(|side| self.finished.get(&side))
            .collect()
    }
}

fn load(solution: &mut Solution, folder: &Path, material: Material) -> Result<(), BuildError> {
    let open = |kind| {
        let path = path_of(folder, material, kind);
        open_named(&path, kind).map_err(|damage| BuildError::File { path, damage })
    };
    let (outcomes, distances) = (open(Kind::Outcomes)?, open(Kind::Distances)?);
    let bad = |kind, damage| BuildError::File {
        path: path_of(folder, material, kind),
        damage,
    };
    solution
        .load(&outcomes, &distances)
        .map_err(|fault| bad(fault.kind, fault.damage))?;
    let tables = solution.tables(material);
    let longest = tables.into_iter().map(file::longest).max();
    for image in [&outcomes, &distances] {
        if Some(image.longest) != longest {
            return Err(bad(image.kind, Damage::Header));
        }
    }
    Ok(())
}

/// Whether both files of a material are there, every byte as it was written.
fn is_whole(folder: &Path, material: Material) -> bool {
    [Kind::Outcomes, Kind::Distances].into_iter().all(|kind| {
        let path = path_of(folder, material, kind);
        let image = match open_named(&path, kind) {
            Ok(image) => image,
            Err(Damage::Unreadable(error)) if error.kind() == io::ErrorKind::NotFound => {
                return false;
            }
            Err(damage) => {
                log::warn!("{} {damage}; it is made anew", path.display());
                return false;
            }
        };
        match image.check() {
            Ok(()) => true,
            Err(damage) => {
                log::warn!("{} {damage}; it is made anew", path.display());
                false
            }
        }
    })
}

/// Holds the folder for as long as the file lives.
fn lock(folder: &Path) -> Result<File, BuildError> {
    let path = folder.join(LOCK);
    let failed = |error| BuildError::Io {
        path: path.clone(),
        error,
    };
    let file = File::create(&path).map_err(failed)?;
    match file.try_lock() {
        Ok(()) => Ok(file),
        Err(TryLockError::WouldBlock) => Err(BuildError::Busy(folder.to_owned())),
        // A file system without locks: two builders only do the same work twice.
        Err(TryLockError::Error(error)) => {
            log::info!("{}: {error}", path.display());
            Ok(file)
        }
    }
}

/// What a builder that was killed left.
fn remove_unfinished(folder: &Path) -> io::Result<()> {
    for entry in std::fs::read_dir(folder)? {
        let entry = entry?;
        if entry.file_name().to_string_lossy().starts_with(UNFINISHED) {
            std::fs::remove_file(entry.path())?;
        }
    }
    Ok(())
}

/// Puts a file in its place only when all of it is on the disk.
fn replace(folder: &Path, path: &Path, bytes: &[u8]) -> io::Result<()> {
    let name = path.file_name().unwrap_or_default().to_string_lossy();
    let unfinished = folder.join(format!("{UNFINISHED}{}-{name}", std::process::id()));
    let written = || -> io::Result<()> {
        let mut file = File::create(&unfinished)?;
        file.write_all(bytes)?;
        file.sync_all()?;
        std::fs::rename(&unfinished, path)
    };
    if let Err(error) = written() {
        // The rest of it is worth nothing, and may be what fills the disk.
        let _ = std::fs::remove_file(&unfinished);
        return Err(error);
    }
    if let Err(error) = sync_folder(folder) {
        // Not every file system knows how; the file is in its place.
        log::info!("{}: {error}", folder.display());
    }
    Ok(())
}

/// Makes sure that the names in a folder survive a crash of the system.
#[cfg(unix)]
fn sync_folder(folder: &Path) -> io::Result<()> {
    File::open(folder)?.sync_all()
}

/// Other systems do not open folders, and look after them themselves.
#[cfg(not(unix))]
fn sync_folder(_: &Path) -> io::Result<()> {
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::notation::{Numbering, fen};
    use crate::rules::Position;
    use crate::tb::Tables;
    use crate::tb::value::Value;

    const QUIET: Observer<'static> = &|_| {};

    fn position(text: &str) -> Position {
        fen::read(text, Numbering::B8).expect("a position").position
    }

    fn folder_of(pieces: u8) -> tempfile::TempDir {
        let folder = tempfile::tempdir().expect("a folder");
        build(folder.path(), pieces, None, QUIET).expect("tables");
        folder
    }

    fn files(folder: &Path) -> Vec<(PathBuf, Vec<u8>)> {
        let entries = std::fs::read_dir(folder).expect("a folder");
        let mut files: Vec<(PathBuf, Vec<u8>)> = entries
            .map(|entry| entry.expect("an entry").path())
            .map(|path| (path.clone(), std::fs::read(path).expect("readable")))
            .collect();
        files.sort();
        files
    }

    #[test]
    fn what_is_missing_or_damaged_is_made_again_and_nothing_else() {
        let folder = folder_of(3);
        let before = files(folder.path());
        assert_eq!(
            verify(folder.path(), QUIET, |_| {}).expect("proven"),
            199_520
        );
        assert_eq!(build(folder.path(), 3, None, QUIET).expect("tables"), 0);
        let file = |name: &str| folder.path().join(name);
        // What a killed builder may leave, and what time may do to a file.
        std::fs::remove_file(file("KM-K.wdl")).expect("it was there");
        std::fs::write(file(".unfinished-KM-K.wdl"), b"shash").expect("written");
        let mut bytes = std::fs::read(file("MM-M.dtz")).expect("readable");
        let last = bytes.len() - 1;
        bytes[last] ^= 1;
        std::fs::write(file("MM-M.dtz"), &bytes).expect("written");
        let made = build(folder.path(), 3, None, QUIET).expect("tables");
        let of = |name: &str| {
            let mut all = Material::all(3).into_iter();
            entries(all.find(|m| m.to_string() == name).expect("a material"))
        };
        assert_eq!(made, of("KM-K") + of("MM-M"));
        assert_eq!(files(folder.path()), before);
    }

    #[test]
    fn two_builders_do_not_share_a_folder() {
        let folder = tempfile::tempdir().expect("a folder");
        let _held = lock(folder.path()).expect("free");
        let error = build(folder.path(), 2, None, QUIET).expect_err("held");
        assert!(matches!(error, BuildError::Busy(_)), "{error}");
    }

    #[test]
    fn memory_is_asked_for_before_it_is_taken() {
        let folder = tempfile::tempdir().expect("a folder");
        let error = build(folder.path(), 6, Some(200), QUIET).expect_err("too little");
        let BuildError::Memory { needed, .. } = error else {
            panic!("{error}");
        };
        // Five pieces take about a hundred; six have been seen to take 1,270.
        assert!((1000..2000).contains(&needed), "{needed}");
        build(folder.path(), 3, Some(200), QUIET).expect("enough");
    }

    #[test]
    fn no_damage_is_taken_for_a_value() {
        let whole = folder_of(3);
        let (kk, km) = (position("W:WKa1,Kb2:BKh8"), position("W:WKa1,b4:BKh2"));
        let intact = Tables::of_folder(whole.path(), 1);
        let right = [intact.probe(&kk), intact.probe(&km)];
        assert!(intact.take_complaints().is_empty() && !right.contains(&None));
        let path = whole.path().join("KM-K.wdl");
        let bytes = std::fs::read(&path).expect("readable");
        let broken = |change: &dyn Fn(&mut Vec<u8>)| {
            let mut bytes = bytes.clone();
            change(&mut bytes);
            std::fs::write(&path, &bytes).expect("written");
            let tables = Tables::of_folder(whole.path(), 1);
            let answers = [tables.probe(&kk), tables.probe(&km)];
            (answers, tables.take_complaints().len())
        };
        // Every byte of the header and many of the rest, changed.
        for at in (0..32).chain((32..bytes.len()).step_by(7)) {
            let (answers, complaints) = broken(&|bytes| bytes[at] ^= 0x41);
            assert_eq!(answers[0], right[0], "byte {at}");
            assert!(answers[1].is_none() || answers[1] == right[1], "byte {at}");
            assert!(answers[1].is_some() || complaints == 1, "byte {at}");
        }
        for length in (0..bytes.len()).step_by(101) {
            let (answers, complaints) = broken(&|bytes| bytes.truncate(length));
            assert_eq!(
                (answers, complaints),
                ([right[0], None], 1),
                "length {length}"
            );
        }
        let other = std::fs::read(whole.path().join("KK-K.wdl")).expect("readable");
        let (answers, complaints) = broken(&|bytes| *bytes = other.clone());
        assert_eq!((answers, complaints), ([right[0], None], 1));
        // Without the distances draws are known, and no more.
        std::fs::write(&path, &bytes).expect("written");
        std::fs::remove_file(whole.path().join("KK-K.dtz")).expect("it was there");
        let tables = Tables::of_folder(whole.path(), 1);
        assert_eq!(
            tables.probe(&position("W:WKa1,Kh8:BKb8")),
            Some(Value::Draw)
        );
        assert_eq!(tables.probe(&position("W:WKe1,Kg1:BKa7")), None);
    }

    #[test]
    fn missing_folders_are_complained_about() {
        let empty = tempfile::tempdir().expect("a folder");
        let folders = [empty.path().to_owned(), empty.path().join("no such folder")];
        let tables = Tables::open(&folders, 1);
        assert_eq!(tables.take_complaints().len(), 2);
        assert_eq!(tables.take_complaints().len(), 0);
        assert!(verify(empty.path(), QUIET, |_| {}).is_err());
    }

    #[test]
    fn a_wrong_value_under_right_checksums_is_found() {
        let folder = folder_of(3);
        let material = Material::of(&position("W:WKa1,b4:BKh2"));
        let mut solution = Solution::of_all(3);
        let solved = solution.finished.get_mut(&material).expect("it is there");
        let at = solved
            .values
            .iter()
            .rposition(|&byte| byte == Value::Win(3).to_byte());
        solved.values[at.expect("a win")] = Value::Draw.to_byte();
        for kind in [Kind::Outcomes, Kind::Distances] {
            let path = path_of(folder.path(), material, kind);
            let bytes = file::write(kind, material, &solution.tables(material));
            replace(folder.path(), &path, &bytes).expect("written");
        }
        let error = verify(folder.path(), QUIET, |_| {}).expect_err("wrong");
        assert!(matches!(error, BuildError::Fault { .. }), "{error}");
    }

    #[test]
    fn a_material_is_proven_only_with_those_it_depends_on() {
        let folder = folder_of(3);
        std::fs::remove_file(folder.path().join("K-K.wdl")).expect("it was there");
        std::fs::remove_file(folder.path().join("K-K.dtz")).expect("it was there");
        let error = verify(folder.path(), QUIET, |_| {}).expect_err("incomplete");
        assert!(matches!(error, BuildError::Missing { .. }), "{error}");
    }

    /// The first endings that the counter spoils are those of two kings and a man against king and man.
    #[test]
    fn wins_that_take_too_long_are_kept_apart() {
        let position = position("W:Wc3,Kb2,Kh2:Ba3,Kf2");
        let material = Material::of(&position).canonical();
        let mut closure = vec![material];
        let mut at = 0;
        while at < closure.len() {
            closure.extend(closure[at].successors());
            at += 1;
        }
        closure.sort_unstable();
        closure.dedup();
        closure.sort_by_key(|m| (m.pieces(), m.men()));
        let folder = tempfile::tempdir().expect("a folder");
        let mut solution = Solution::default();
        for &material in &closure {
            solution.solve(material, &|_| {});
            for kind in [Kind::Outcomes, Kind::Distances] {
                let path = path_of(folder.path(), material, kind);
                let bytes = file::write(kind, material, &solution.tables(material));
                replace(folder.path(), &path, &bytes).expect("written");
            }
        }
        let counts = file::sides(material).filter_map(|side| solution.counts(side));
        let cursed = counts.fold([0, 0], |sum, counts| {
            [sum[0] + counts.cursed_wins, sum[1] + counts.cursed_losses]
        });
        for side in file::sides(material) {
            assert_eq!(solution.verify(side), None);
        }
        // Published: 220 wins take more than 30 plies; others can only turn into those.
        assert!(cursed[0] >= 220 && cursed[1] > 0, "{cursed:?}");
        let tables = Tables::of_folder(folder.path(), 1);
        assert_eq!(tables.probe(&position), Some(Value::CursedWin));
        let solved = &solution.finished[&material];
        for number in 0..solved.values.len() {
            let value = Value::from_byte(solved.values[number]);
            if matches!(value, Value::CursedWin | Value::CursedLoss) {
                let position = solved.index.board(number).position();
                assert_eq!(tables.resolve(&position), Some(value), "{position:?}");
            }
        }
    }
}
