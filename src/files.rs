//! Files that are there whole or not at all.

use std::fs::File;
use std::io::{self, Write};
use std::path::Path;

/// Writes a file; one of that name stays as it was until the new one is whole.
///
/// # Errors
/// It cannot be written.
pub fn write_whole(path: &Path, bytes: &[u8]) -> io::Result<()> {
    let mut unfinished = path.as_os_str().to_owned();
    unfinished.push(".new");
    let write = || {
        let mut file = File::create(&unfinished)?;
        file.write_all(bytes)?;
        file.sync_all()?;
        std::fs::rename(&unfinished, path)
    };
    write().inspect_err(|_| {
        // The rest of it is worth nothing; nothing can be done if that fails too.
        let _ = std::fs::remove_file(&unfinished);
    })
}
