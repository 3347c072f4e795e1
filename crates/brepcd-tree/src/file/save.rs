//! Replacing a file as a whole or not at all.

use std::ffi::OsString;
use std::fs::{self, File, OpenOptions};
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU32, Ordering};

use super::FileError;

/// Tells the temporary files of one process apart.
static NEXT: AtomicU32 = AtomicU32::new(0);

/// Writes the bytes to a new file beside the path and renames it, so that nobody ever sees half of them.
pub(super) fn replace(path: &Path, bytes: &[u8]) -> Result<(), FileError> {
    let error = |action, source| FileError::Io {
        action,
        path: path.to_owned(),
        source,
    };
    let (mut file, temporary) = create_beside(path).map_err(|e| error("create", e))?;
    let written = file.write_all(bytes).and_then(|()| file.sync_all());
    drop(file);
    let result = match written {
        Ok(()) => fs::rename(&temporary, path).map_err(|e| error("replace", e)),
        Err(e) => Err(error("write", e)),
    };
    if result.is_err() {
        // What matters is the error above; a temporary file that cannot be removed does no harm.
        let _ = fs::remove_file(&temporary);
    }
    result
}

fn create_beside(path: &Path) -> io::Result<(File, PathBuf)> {
    let name = path
        .file_name()
        .ok_or_else(|| io::Error::new(io::ErrorKind::InvalidInput, "the path names no file"))?;
    loop {
        let mut temporary = OsString::from(".");
        temporary.push(name);
        let number = NEXT.fetch_add(1, Ordering::Relaxed);
        temporary.push(format!(".{}-{number}.tmp", std::process::id()));
        let temporary = path.with_file_name(temporary);
        let created = OpenOptions::new()
            .write(true)
            .create_new(true)
            .open(&temporary);
        match created {
            Err(e) if e.kind() == io::ErrorKind::AlreadyExists => {}
            created => return Ok((created?, temporary)),
        }
    }
}
