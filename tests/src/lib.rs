//! Holds nothing but what several of the end-to-end tests need; the tests are in `tests/tests`.

pub mod oracle;
pub mod solids;

use std::path::{Path, PathBuf};

/// The root of the workspace.
pub fn workspace() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR"))
        .parent()
        .map(Path::to_path_buf)
        .unwrap_or_default()
}

/// Files under a folder with one of these extensions (any case), sorted; empty if there is no such folder.
pub fn files_with_extension(folder: &Path, extensions: &[&str]) -> Vec<PathBuf> {
    let mut out = Vec::new();
    let mut folders = vec![folder.to_path_buf()];
    while let Some(folder) = folders.pop() {
        for path in std::fs::read_dir(&folder)
            .into_iter()
            .flatten()
            .flatten()
            .map(|entry| entry.path())
        {
            let extension = path
                .extension()
                .map(|e| e.to_string_lossy().to_lowercase())
                .unwrap_or_default();
            if path.is_dir() {
                folders.push(path);
            } else if extensions.contains(&extension.as_str()) {
                out.push(path);
            }
        }
    }
    out.sort();
    out
}
