//! The bytes of a table file.
//!
//! One file holds the outcomes or the distances of a material, for either side to move. Numbers are
//! little-endian.
//!
//! ```text
//! 0   8  "shashtb" and the version, 1
//! 8   1  kind: 0 outcomes, 1 distances
//! 9   4  men and kings of one side, men and kings of the other
//! 13  1  greatest distance in plies
//! 14  1  quiet plies of kings at which the game is drawn (30)
//! 15  1  binary logarithm of the entries of a block
//! 16  8  entries: the side named first to move, then the other one unless it is the same
//! 24  4  number of blocks
//! 28  4  CRC-32 of all of the above and of the index
//! 32     index: for each block where it ends, counted from the end of the index, and its CRC-32
//!        blocks, each compressed (raw deflate)
//! ```
//!
//! A bundle is several such files one behind the other.

use crate::tb::codec::{BLOCK, Kind};
use crate::tb::index::Index;
use crate::tb::material::Material;
use crate::tb::solution::Solved;
use crate::tb::value::{CAPTURE, LIMIT, Value};
use rayon::prelude::*;
use std::fs::File;
use std::io::{self, Read, Seek, SeekFrom};
use std::sync::{Mutex, PoisonError};

const MAGIC: [u8; 8] = *b"shashtb\x01";
const HEADER: usize = 32;
/// Bytes of the index for each block.
const INDEX: usize = 8;

/// What is wrong with a table file.
#[derive(Debug, thiserror::Error)]
pub enum Damage {
    /// It cannot be read.
    #[error("cannot be read: {0}")]
    Unreadable(#[from] io::Error),
    /// It is something else.
    #[error("is no table of this program, or of another version")]
    Foreign,
    /// It is of another material than its name says.
    #[error("holds {0}, not what its name says")]
    Misnamed(String),
    /// The checksum of the header and index does not fit.
    #[error("is damaged: checksum of the header")]
    Header,
    /// It is shorter than its header says.
    #[error("is cut short")]
    Short,
    /// A block is not what was written.
    #[error("is damaged: block {0}")]
    Block(u32),
}

/// Where the bytes of a file are.
#[derive(Debug)]
pub(super) enum Source {
    Memory(&'static [u8]),
    /// Read block by block. A lock, but only where a block is not in the cache.
    File(Mutex<File>),
}

/// One file, its header read.
#[derive(Debug)]
pub(super) struct Image {
    pub(super) kind: Kind,
    pub(super) material: Material,
    /// Greatest distance, plies.
    pub(super) longest: u8,
    source: Source,
    /// Ends and checksums of the blocks.
    blocks: Vec<(u32, u32)>,
    /// Where the first block begins.
    start: u64,
}

/// The sides to move that have entries of their own, in their order.
pub(super) fn sides(material: Material) -> impl Iterator<Item = Material> {
    let mirrored = material.mirrored();
    std::iter::once(material).chain((mirrored != material).then_some(mirrored))
}

/// The bytes of a file for a material that is solved, one table for each of [`sides`].
pub(super) fn write(kind: Kind, material: Material, tables: &[&Solved]) -> Vec<u8> {
    let compressed: Vec<Vec<u8>> = tables
        .iter()
        .flat_map(|table| {
            let blocks: Vec<Vec<u8>> = table
                .values
                .par_chunks(BLOCK)
                .map(|block| kind.encode(block))
                .collect();
            blocks
        })
        .collect();
    let entries: u64 = tables.iter().map(|table| table.values.len() as u64).sum();
    let mut bytes = Vec::from(MAGIC);
    bytes.push(match kind {
        Kind::Outcomes => 0,
        Kind::Distances => 1,
    });
    bytes.extend([
        material.own_men,
        material.own_kings,
        material.opp_men,
        material.opp_kings,
        tables.iter().map(|table| longest(table)).max().unwrap_or(0),
        LIMIT,
        BLOCK.ilog2() as u8,
    ]);
    bytes.extend(entries.to_le_bytes());
    bytes.extend((compressed.len() as u32).to_le_bytes());
    let mut index = Vec::with_capacity(compressed.len() * INDEX);
    let mut end = 0;
    for block in &compressed {
        end += block.len() as u32;
        index.extend(end.to_le_bytes());
        index.extend(crc32fast::hash(block).to_le_bytes());
    }
    bytes.extend(checksum(&bytes, &index).to_le_bytes());
    bytes.extend(index);
    bytes.extend(compressed.concat());
    bytes
}

/// Greatest distance of the entries that somebody may ask for.
pub(super) fn longest(table: &Solved) -> u8 {
    let distance = |&byte: &u8| match Value::from_byte(byte) {
        Value::Win(distance) | Value::Loss(distance) if byte & CAPTURE == 0 => distance,
        _ => 0,
    };
    table.values.par_iter().map(distance).max().unwrap_or(0)
}

fn checksum(header: &[u8], index: &[u8]) -> u32 {
    let mut hasher = crc32fast::Hasher::new();
    hasher.update(header);
    hasher.update(index);
    hasher.finalize()
}

/// Blocks of a table with so many entries.
pub(super) fn blocks_of(entries: usize) -> usize {
    entries.div_ceil(BLOCK)
}

fn u32_at(bytes: &[u8], at: usize) -> Option<u32> {
    let bytes = bytes.get(at..at + 4)?;
    Some(u32::from_le_bytes(bytes.try_into().ok()?))
}

/// What a header says.
struct Header {
    kind: Kind,
    material: Material,
    longest: u8,
    entries: u64,
    blocks: usize,
    checksum: u32,
}

impl Header {
    /// `None` if it is not one of ours.
    fn read(bytes: &[u8; HEADER]) -> Option<Header> {
        let &[
            _,
            _,
            _,
            _,
            _,
            _,
            _,
            _,
            kind,
            own_men,
            own_kings,
            opp_men,
            opp_kings,
            longest,
            limit,
            bits,
            ..,
        ] = bytes;
        let kind = match kind {
            0 => Kind::Outcomes,
            1 => Kind::Distances,
            _ => return None,
        };
        let entries = bytes.get(16..24)?.try_into().ok()?;
        let header = Header {
            kind,
            material: Material {
                own_men,
                own_kings,
                opp_men,
                opp_kings,
            },
            longest,
            entries: u64::from_le_bytes(entries),
            blocks: u32_at(bytes, 24)? as usize,
            checksum: u32_at(bytes, 28)?,
        };
        let ours = bytes.starts_with(&MAGIC)
            && limit == LIMIT
            && u32::from(bits) == BLOCK.ilog2()
            && header.material.is_storable();
        ours.then_some(header)
    }

    /// Whether sizes are those of the material.
    fn fits(&self) -> bool {
        let tables: Vec<usize> = sides(self.material)
            .map(|material| Index::new(material).len())
            .collect();
        let entries: usize = tables.iter().sum();
        let blocks: usize = tables.iter().map(|&entries| blocks_of(entries)).sum();
        (entries as u64, blocks) == (self.entries, self.blocks)
    }
}

impl Image {
    /// Reads header and index of the file whose bytes begin at `at`.
    ///
    /// # Errors
    /// It is not whole; only the blocks have not been looked at.
    pub(super) fn open(source: Source, at: u64) -> Result<Image, Damage> {
        let mut header = [0; HEADER];
        source.read(at, &mut header)?;
        let about = Header::read(&header).ok_or(Damage::Foreign)?;
        // The header is no more trusted than the rest: before so much memory is taken, it must fit.
        if !about.fits() {
            return Err(Damage::Header);
        }
        let mut index = vec![0; about.blocks * INDEX];
        source.read(at + HEADER as u64, &mut index)?;
        let (summed, _) = header.split_at(HEADER - 4);
        if checksum(summed, &index) != about.checksum {
            return Err(Damage::Header);
        }
        let blocks = index.chunks_exact(INDEX);
        let blocks = blocks.filter_map(|entry| Some((u32_at(entry, 0)?, u32_at(entry, 4)?)));
        let image = Image {
            kind: about.kind,
            material: about.material,
            longest: about.longest,
            blocks: blocks.collect(),
            start: at + (HEADER + index.len()) as u64,
            source,
        };
        if image.source.len()? < image.end() {
            return Err(Damage::Short);
        }
        Ok(image)
    }

    /// Where the file ends.
    pub(super) fn end(&self) -> u64 {
        self.start + self.blocks.last().map_or(0, |&(end, _)| u64::from(end))
    }

    /// Size of the file, bytes.
    pub(super) fn len(&self) -> u64 {
        HEADER as u64 + (self.blocks.len() * INDEX) as u64 + self.end() - self.start
    }

    /// Unpacks a block that has so many entries.
    ///
    /// # Errors
    /// It cannot be read, or is not what was written.
    pub(super) fn block(&self, number: u32, entries: usize) -> Result<Box<[u8]>, Damage> {
        let compressed = self.compressed(number)?;
        self.kind
            .decode(&compressed, entries)
            .ok_or(Damage::Block(number))
    }

    /// Looks at every block's checksum.
    ///
    /// # Errors
    /// The first block that cannot be read or is not what was written.
    pub(super) fn check(&self) -> Result<(), Damage> {
        (0..self.blocks.len() as u32).try_for_each(|block| self.compressed(block).map(|_| ()))
    }

    fn compressed(&self, number: u32) -> Result<Vec<u8>, Damage> {
        let at = number as usize;
        let begin = match at.checked_sub(1) {
            Some(before) => self.blocks.get(before).map(|&(end, _)| end),
            None => Some(0),
        };
        let place = begin.zip(self.blocks.get(at));
        let place =
            place.and_then(|(begin, &(end, sum))| Some((begin, end.checked_sub(begin)?, sum)));
        // No block grows by being packed.
        let most = self.kind.bytes(BLOCK) as u32 + 1024;
        let place = place.filter(|&(_, length, _)| length <= most);
        let (begin, length, sum) = place.ok_or(Damage::Block(number))?;
        let mut compressed = vec![0; length as usize];
        self.source
            .read(self.start + u64::from(begin), &mut compressed)?;
        if crc32fast::hash(&compressed) == sum {
            Ok(compressed)
        } else {
            Err(Damage::Block(number))
        }
    }
}

impl Source {
    fn read(&self, at: u64, bytes: &mut [u8]) -> Result<(), Damage> {
        let outcome = match self {
            Source::Memory(memory) => {
                let at = usize::try_from(at).unwrap_or(usize::MAX);
                let from = memory.get(at..).unwrap_or_default();
                (&*from).read_exact(bytes)
            }
            Source::File(file) => {
                let mut file = file.lock().unwrap_or_else(PoisonError::into_inner);
                file.seek(SeekFrom::Start(at))
                    .and_then(|_| file.read_exact(bytes))
            }
        };
        outcome.map_err(|error| match error.kind() {
            io::ErrorKind::UnexpectedEof => Damage::Short,
            _ => Damage::Unreadable(error),
        })
    }

    fn len(&self) -> io::Result<u64> {
        match self {
            Source::Memory(memory) => Ok(memory.len() as u64),
            Source::File(file) => {
                let file = file.lock().unwrap_or_else(PoisonError::into_inner);
                Ok(file.metadata()?.len())
            }
        }
    }
}
