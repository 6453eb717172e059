//! What the commands that think have in common.

use crate::analyse::{Setting, hash_for};
use crate::cli::args::ThinkArgs;
use crate::eval::Network;
use crate::search::Limits;
use crate::tb::{self, Tables};
use std::sync::Arc;
use std::time::Duration;

/// How to think, as the arguments say; for so many nodes where they have no limit.
pub(super) fn setting(
    args: &ThinkArgs,
    nodes: u64,
    multi_pv: usize,
    threads_per_position: usize,
) -> Result<Setting, String> {
    let unlimited = args.depth.is_none() && args.nodes.is_none() && args.movetime.is_none();
    let limits = Limits {
        depth: args.depth,
        nodes: args.nodes.or(unlimited.then_some(nodes)),
        move_time: args.movetime.map(Duration::from_millis),
        multi_pv,
        ..Limits::default()
    };
    let network = match &args.eval {
        None => Network::built_in(),
        Some(path) => super::read_file(path, Network::from_bytes)?,
    };
    let tables = Tables::open(&args.tables, tb::DEFAULT_CACHE_MIB);
    // Whoever asks for tables wants answers by them.
    if let Some(complaint) = tables.take_complaints().first() {
        return Err(complaint.to_string());
    }
    Ok(Setting {
        hash_mib: args
            .hash
            .map_or_else(|| hash_for(&limits), |mib| mib as usize),
        limits,
        threads: threads_per_position,
        tables: Arc::new(tables),
        network: Arc::new(network),
    })
}

/// So many threads, or as many as there are processors.
pub(super) fn threads(wanted: Option<u16>) -> usize {
    let all = || std::thread::available_parallelism().map_or(1, usize::from);
    wanted.map_or_else(all, usize::from)
}
