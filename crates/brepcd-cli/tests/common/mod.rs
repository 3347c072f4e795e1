//! Runs the binary in folders of its own, and reads which keys the documentation promises.
#![allow(dead_code, reason = "each test file uses some of this")]

use std::path::{Path, PathBuf};
use std::process::{Command, Output};
use std::sync::atomic::{AtomicUsize, Ordering};

use serde_json::Value;

/// The folder of the workspace.
pub fn workspace() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

/// A part of the repository.
pub fn part(name: &str) -> PathBuf {
    workspace().join("data/parts").join(name)
}

/// A folder for one test, gone when dropped.
pub struct Folder(PathBuf);

impl Folder {
    /// An empty folder that no other test has.
    pub fn new() -> Self {
        static NEXT: AtomicUsize = AtomicUsize::new(0);
        let name = format!(
            "brepcd-cli-{}-{}",
            std::process::id(),
            NEXT.fetch_add(1, Ordering::Relaxed)
        );
        let path = std::env::temp_dir().join(name);
        std::fs::create_dir_all(&path).expect("a folder can be made");
        Self(path)
    }

    /// A path in the folder.
    pub fn path(&self, name: &str) -> PathBuf {
        self.0.join(name)
    }

    /// Writes a file into the folder.
    pub fn write(&self, name: &str, bytes: &[u8]) -> PathBuf {
        let path = self.path(name);
        std::fs::write(&path, bytes).expect("a file can be written");
        path
    }

    /// Copies a part of the repository into the folder.
    pub fn copy(&self, name: &str) -> PathBuf {
        self.write(name, &read(&part(name)))
    }

    /// Runs the binary in the folder.
    pub fn run(&self, arguments: &[&str]) -> Run {
        let output = Command::new(env!("CARGO_BIN_EXE_brepcd"))
            .args(arguments)
            .current_dir(&self.0)
            .output()
            .expect("the binary runs");
        Run::of(output, arguments)
    }

    /// Runs the binary, which must succeed and say nothing on standard error.
    pub fn succeed(&self, arguments: &[&str]) -> String {
        let run = self.run(arguments);
        assert_eq!(run.code, 0, "{run:?}");
        assert_eq!(run.errors, "", "{run:?}");
        run.text
    }

    /// Runs the binary, which must succeed and print one JSON object.
    pub fn json(&self, arguments: &[&str]) -> Value {
        serde_json::from_str(&self.succeed(arguments)).expect("JSON")
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        // What cannot be removed is left to the system.
        let _ = std::fs::remove_dir_all(&self.0);
    }
}

/// What a run left behind.
#[derive(Debug)]
pub struct Run {
    arguments: Vec<String>,
    /// Exit code.
    pub code: i32,
    /// Standard output.
    pub text: String,
    /// Standard error.
    pub errors: String,
}

impl Run {
    fn of(output: Output, arguments: &[&str]) -> Self {
        let text = |bytes: Vec<u8>| String::from_utf8(bytes).expect("UTF-8");
        Self {
            arguments: arguments.iter().map(|a| a.to_string()).collect(),
            code: output.status.code().expect("it was not killed"),
            text: text(output.stdout),
            errors: text(output.stderr),
        }
    }

    /// Exit code 1 and one line on standard error that holds all of `words`.
    pub fn fails_with(&self, words: &[&str]) {
        assert_eq!(self.code, 1, "{self:?}");
        assert_eq!(self.errors.lines().count(), 1, "{self:?}");
        assert!(self.errors.starts_with("error: "), "{self:?}");
        for word in words {
            assert!(self.errors.contains(word), "{word} in {self:?}");
        }
    }
}

/// The bytes of a file.
pub fn read(path: &Path) -> Vec<u8> {
    std::fs::read(path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

/// The keys of a JSON object in their order.
pub fn keys(object: &Value) -> Vec<String> {
    let object = object.as_object().expect("an object");
    object.keys().cloned().collect()
}

/// The keys in the first table under a heading of a page of the documentation.
pub fn documented(page: &str, heading: &str) -> Vec<String> {
    let text = String::from_utf8(read(&workspace().join("docs").join(page))).expect("UTF-8");
    let found: Vec<String> = text
        .lines()
        .skip_while(|line| line.trim_start_matches('#').trim() != heading || !line.starts_with('#'))
        .skip_while(|line| !line.starts_with('|'))
        .take_while(|line| line.starts_with('|'))
        .filter_map(|line| line.strip_prefix("| `")?.split('`').next())
        .map(String::from)
        .collect();
    assert!(!found.is_empty(), "{page} has no table under {heading}");
    found
}
