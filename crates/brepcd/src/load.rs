//! Parts for queries, from STEP files or tree files.

use std::path::{Path, PathBuf};

use brepcd_query::Part;
use brepcd_step::{ReadOptions, StepError, Warning};
use brepcd_tree::{FileError, TreePart};

use crate::{TreeOptions, preprocess};

/// A part that cannot be loaded.
#[derive(Debug, thiserror::Error)]
pub enum LoadError {
    /// The file cannot be read.
    #[error("{}: {source}", path.display())]
    Io {
        /// The file.
        path: PathBuf,
        /// Why.
        source: std::io::Error,
    },
    /// The STEP file is not one, or damaged beyond use.
    #[error("{}: {source}", path.display())]
    Step {
        /// The file.
        path: PathBuf,
        /// Why.
        source: StepError,
    },
    /// The tree file is damaged or of another version.
    #[error("{}: {source}", path.display())]
    Tree {
        /// The file.
        path: PathBuf,
        /// Why.
        source: FileError,
    },
    /// There is nothing to query.
    #[error("{}: holds no face, so there is nothing to query", path.display())]
    Empty {
        /// The file.
        path: PathBuf,
    },
}

/// A part ready for queries, and what is wrong with its file.
#[derive(Debug)]
pub struct Loaded {
    /// The part.
    pub part: Part,
    /// Warnings of the import; none for tree files.
    pub warnings: Vec<Warning>,
}

/// Loads a part from a tree file, or from a STEP file, which is preprocessed with default options.
pub fn load_part(path: impl AsRef<Path>) -> Result<Loaded, LoadError> {
    let path = path.as_ref();
    let named = || path.to_path_buf();
    let bytes = std::fs::read(path).map_err(|source| LoadError::Io {
        path: named(),
        source,
    })?;
    let (tree, warnings) = match TreePart::from_bytes(&bytes) {
        Ok(tree) => (tree, Vec::new()),
        Err(FileError::NotATreeFile) => {
            let options = ReadOptions::default();
            let model = brepcd_step::read(&bytes, &options, &mut |_| {});
            let model = model.map_err(|source| LoadError::Step {
                path: named(),
                source,
            })?;
            let name = path.file_name().unwrap_or_default().to_string_lossy();
            let (tree, _) = preprocess(&model, &name, &bytes, &TreeOptions::default());
            (tree, model.warnings)
        }
        Err(source) => {
            return Err(LoadError::Tree {
                path: named(),
                source,
            });
        }
    };
    // What follows can use its memory.
    drop(bytes);
    if tree.nodes.is_empty() {
        return Err(LoadError::Empty { path: named() });
    }
    Ok(Loaded {
        part: Part::new(tree),
        warnings,
    })
}
