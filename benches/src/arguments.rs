//! Arguments of the programs here: `--name value` and `--flag`, and names without dashes.

use std::collections::BTreeMap;
use std::str::FromStr;

/// What was given.
pub struct Arguments {
    usage: &'static str,
    values: BTreeMap<String, String>,
    flags: Vec<String>,
    /// What has no dashes.
    pub free: Vec<String>,
}

impl Arguments {
    /// Reads the command line; `values` take a value, `flags` do not. Ends the program on `--help` (0) and on wrong
    /// usage (2).
    pub fn read(usage: &'static str, values: &[&str], flags: &[&str]) -> Self {
        let mut out = Self {
            usage,
            values: BTreeMap::new(),
            flags: Vec::new(),
            free: Vec::new(),
        };
        let mut given = std::env::args().skip(1);
        while let Some(word) = given.next() {
            if word == "--help" || word == "-h" {
                println!("{usage}");
                std::process::exit(0);
            } else if flags.contains(&word.as_str()) {
                out.flags.push(word);
            } else if values.contains(&word.as_str()) {
                let Some(value) = given.next() else {
                    out.wrong(&format!("{word} takes a value"));
                };
                out.values.insert(word, value);
            } else if word.starts_with('-') {
                out.wrong(&format!("unknown option {word}"));
            } else {
                out.free.push(word);
            }
        }
        out
    }

    /// Is a flag given?
    pub fn has(&self, flag: &str) -> bool {
        self.flags.iter().any(|given| given == flag)
    }

    /// The value of an option, if it is given.
    pub fn get<T: FromStr>(&self, name: &str) -> Option<T> {
        let text = self.values.get(name)?;
        match text.parse() {
            Ok(value) => Some(value),
            Err(_) => self.wrong(&format!("{name} cannot be {text}")),
        }
    }

    /// The one of `all` that an option names; `otherwise` if it is not given.
    pub fn choose<'a>(&self, option: &str, all: &[&'a str], otherwise: &[&'a str]) -> Vec<&'a str> {
        let Some(name) = self.get::<String>(option) else {
            return otherwise.to_vec();
        };
        let chosen: Vec<_> = all.iter().copied().filter(|each| *each == name).collect();
        if chosen.is_empty() {
            self.wrong(&format!("{option} is one of {}", all.join(", ")));
        }
        chosen
    }

    /// Ends the program: the usage is wrong.
    pub fn wrong(&self, what: &str) -> ! {
        eprintln!("{what}\n\n{}", self.usage);
        std::process::exit(2);
    }
}
