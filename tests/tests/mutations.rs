//! Damaged files: no panic, no endless loop, and every error says where.
//!
//! Each case takes a small part and damages it in one to three ways, chosen by a generator that is seeded by the
//! number of the case, so that a failure can be repeated. A watchdog ends the run when a case does not come back.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::time::{Duration, Instant};

use brepcd::step::{ReadOptions, read};
use brepcd_tests::{files_with_extension, workspace};

#[global_allocator]
static MEMORY: peak_alloc::PeakAlloc = peak_alloc::PeakAlloc;

/// Peak memory of all workers together, MB: the parts are small, and so must be what damage makes of them.
const MEMORY_LIMIT: f32 = 200.0;

/// Number of damaged files.
const CASES: usize = 10_500;
/// A case must be answered within this time, also on a slow machine.
const TIME_LIMIT: Duration = Duration::from_secs(5);
/// A case that takes longer than this is taken for an endless loop.
const WATCHDOG: Duration = Duration::from_secs(60);
/// Larger parts would only make the test slow.
const LARGEST_PART: u64 = 40_000;
/// Failures shown.
const SHOWN: usize = 20;

#[test]
fn damaged_files_are_answered() {
    let parts: Vec<Vec<u8>> =
        files_with_extension(&workspace().join("data/parts"), &["step", "stp"])
            .iter()
            .filter(|path| path.metadata().is_ok_and(|m| m.len() <= LARGEST_PART))
            .map(|path| std::fs::read(path).expect("a part can be read"))
            .collect();
    assert!(!parts.is_empty(), "no small parts in data/parts");
    // Panics are counted and reported below; their backtraces would drown the report.
    std::panic::set_hook(Box::new(|_| {}));

    let next = AtomicUsize::new(0);
    let failures = Mutex::new(Vec::new());
    let (errors, done) = (AtomicUsize::new(0), AtomicBool::new(false));
    let workers = std::thread::available_parallelism()
        .map_or(2, |n| n.get())
        .min(8);
    let running: Vec<Mutex<Option<(usize, Instant)>>> =
        (0..workers).map(|_| Mutex::new(None)).collect();
    std::thread::scope(|scope| {
        scope.spawn(|| watch(&running, &done));
        let handles: Vec<_> = running
            .iter()
            .map(|slot| {
                let (next, failures, errors, parts) = (&next, &failures, &errors, &parts);
                let work = move || loop {
                    let case = next.fetch_add(1, Ordering::Relaxed);
                    if case >= CASES {
                        *slot.lock().expect("slot") = None;
                        break;
                    }
                    *slot.lock().expect("slot") = Some((case, Instant::now()));
                    match answer(case, parts) {
                        Ok(failed) => _ = errors.fetch_add(usize::from(failed), Ordering::Relaxed),
                        Err(failure) => failures.lock().expect("failures").push((case, failure)),
                    }
                };
                // Deep recursion must be refused by the reader, not survived by luck: the stack is a thread's usual.
                scope.spawn(work)
            })
            .collect();
        for handle in handles {
            let _ = handle.join();
        }
        done.store(true, Ordering::Relaxed);
    });
    let _ = std::panic::take_hook();

    let mut failures = failures.into_inner().expect("failures");
    failures.sort();
    let list: Vec<String> = failures
        .iter()
        .take(SHOWN)
        .map(|(case, f)| format!("case {case}: {f}"))
        .collect();
    assert!(
        failures.is_empty(),
        "{} of {CASES} cases fail:\n{}",
        failures.len(),
        list.join("\n")
    );
    let errors = errors.into_inner();
    let peak = MEMORY.peak_usage_as_mb();
    assert!(peak < MEMORY_LIMIT, "{peak} MB at the peak");
    println!("{peak:.0} MB at the peak");
    println!(
        "{CASES} damaged files: {errors} refused, {} read with what could be saved",
        CASES - errors
    );
    assert!(
        errors > CASES / 100,
        "hardly any damage was noticed: are the mutations any good?"
    );
    assert!(errors < CASES, "nothing was read: are the parts any good?");
}

/// Ends the process when a case does not come back.
fn watch(running: &[Mutex<Option<(usize, Instant)>>], done: &AtomicBool) {
    while !done.load(Ordering::Relaxed) {
        for slot in running {
            let current = *slot.lock().expect("slot");
            if let Some((case, start)) = current
                && start.elapsed() > WATCHDOG
            {
                eprintln!("case {case} has been running for {WATCHDOG:?}: an endless loop");
                std::process::exit(101);
            }
        }
        std::thread::sleep(Duration::from_millis(50));
    }
}

/// True if the damaged file was refused; the failure if it was answered badly.
fn answer(case: usize, parts: &[Vec<u8>]) -> Result<bool, String> {
    let (bytes, damage) = damaged(case, parts);
    let start = Instant::now();
    let result = catch_unwind(AssertUnwindSafe(|| {
        read(&bytes, &ReadOptions::default(), &mut |_| {}).map(|model| {
            // What was imported must be usable, too.
            let brep = model.placed_brep();
            let _ = (brep.mass_properties(), brep.bounding_box());
        })
    }));
    let elapsed = start.elapsed();
    if elapsed > TIME_LIMIT {
        return Err(format!("{damage}: took {elapsed:?}"));
    }
    match result {
        Err(panic) => Err(format!("{damage}: panic: {}", panic_message(&*panic))),
        Ok(Ok(())) => Ok(false),
        Ok(Err(error)) if names_a_place(&error.to_string()) => Ok(true),
        Ok(Err(error)) => Err(format!("{damage}: the error names no place: {error}")),
    }
}

fn panic_message(panic: &(dyn std::any::Any + Send)) -> String {
    let text = panic.downcast_ref::<&str>().map(|s| s.to_string());
    text.or_else(|| panic.downcast_ref::<String>().cloned())
        .unwrap_or_else(|| "?".into())
}

/// True for messages with `#12` or `line` in them.
fn names_a_place(message: &str) -> bool {
    let entity = message
        .as_bytes()
        .windows(2)
        .any(|w| w[0] == b'#' && w[1].is_ascii_digit());
    entity || message.contains("line")
}

/// SplitMix64 (Steele, Lea, Flood 2014).
struct Random(u64);

impl Random {
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let z = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    /// A number below `n`; 0 if there is none.
    fn below(&mut self, n: usize) -> usize {
        if n == 0 {
            0
        } else {
            (self.next() % n as u64) as usize
        }
    }

    fn pick<'a, T: ?Sized>(&mut self, items: &[&'a T]) -> &'a T {
        items[self.below(items.len())]
    }
}

/// The file of a case and what was done to it.
fn damaged(case: usize, parts: &[Vec<u8>]) -> (Vec<u8>, String) {
    let mut random = Random(case as u64);
    let mut bytes = parts[case % parts.len()].clone();
    let mut damage = Vec::new();
    for _ in 0..1 + random.below(3) {
        damage.push(damage_once(&mut bytes, &mut random));
    }
    (bytes, damage.join(", "))
}

const NUMBERS: [&str; 12] = [
    "1.E999",
    "-1.E999",
    "NAN",
    "INF",
    "0.",
    "-1.",
    "1.E308",
    "1.E-320",
    "99999999999999999999",
    "4294967296",
    "-1",
    "2147483647",
];
const VALUES: [&str; 10] = [
    "$",
    "*",
    "()",
    "(())",
    "''",
    ".T.",
    ".UNSPECIFIED.",
    "\"0F\"",
    "X(1)",
    "#0",
];

/// Damages the file in one way and says how.
fn damage_once(bytes: &mut Vec<u8>, random: &mut Random) -> String {
    let references = tokens(bytes, |b, i| b[i] == b'#', |b| b.is_ascii_digit());
    let numbers = tokens(
        bytes,
        |b, i| b[i].is_ascii_digit() && i > 0 && matches!(b[i - 1], b',' | b'(' | b'-'),
        |b| b.is_ascii_digit() || matches!(b, b'.' | b'E' | b'-' | b'+'),
    );
    let keywords = tokens(
        bytes,
        |b, i| {
            b[i].is_ascii_uppercase()
                && i > 0
                && !is_word(b[i - 1])
                && b[i - 1] != b'.'
                && b[i - 1] != b'\''
        },
        is_word,
    );
    let Some(some_reference) = choose(&references, random) else {
        return "nothing".into();
    };
    match random.below(14) {
        0 => {
            let at = random.below(bytes.len());
            bytes.truncate(at);
            format!("cut at byte {at}")
        }
        1 => {
            let from = random.below(bytes.len());
            let to = (from + 1 + random.below(200)).min(bytes.len());
            bytes.drain(from..to);
            format!("bytes {from}..{to} removed")
        }
        2 | 3 => {
            let other = choose(&references, random).unwrap_or(some_reference.clone());
            let text = bytes[other.clone()].to_vec();
            replace(bytes, some_reference, &text, "reference swapped")
        }
        4 => {
            // Refers to the record it stands in, or to an earlier one: a loop.
            let start = bytes[..some_reference.start]
                .iter()
                .rposition(|b| *b == b';')
                .map_or(0, |i| i + 1);
            let own = references
                .iter()
                .find(|r| r.start >= start)
                .unwrap_or(&some_reference)
                .clone();
            let text = bytes[own].to_vec();
            replace(bytes, some_reference, &text, "cycle")
        }
        5 => {
            let text = random.pick(&["#0", "#999999999", "#18446744073709551616", "#"]);
            replace(
                bytes,
                some_reference,
                text.as_bytes(),
                "reference to nothing",
            )
        }
        6 | 7 => match choose(&numbers, random) {
            Some(number) => {
                let text = random.pick(&NUMBERS);
                replace(bytes, number, text.as_bytes(), "number")
            }
            None => "nothing".into(),
        },
        8 => match (choose(&keywords, random), choose(&keywords, random)) {
            (Some(keyword), Some(other)) => {
                let text = bytes[other].to_vec();
                replace(bytes, keyword, &text, "wrong type")
            }
            _ => "nothing".into(),
        },
        9 => {
            let text = random.pick(&VALUES);
            replace(bytes, some_reference, text.as_bytes(), "wrong value")
        }
        10 => {
            let at = random.below(bytes.len());
            let junk = [0xff, 0xc3, 0x28, 0x00, 0x80][random.below(5)];
            bytes.insert(at, junk);
            format!("byte {junk:#x} inserted at {at}")
        }
        11 => {
            let at = random.below(bytes.len());
            bytes[at] ^= 1 << random.below(8);
            format!("bit flipped in byte {at}")
        }
        12 => {
            let depth = 1 << random.below(15);
            let text = ["(".repeat(depth), ")".repeat(depth * random.below(2))].concat();
            replace(bytes, some_reference, text.as_bytes(), "deep nesting")
        }
        _ => {
            // A record twice, or a record missing.
            let ends: Vec<usize> = (0..bytes.len()).filter(|i| bytes[*i] == b';').collect();
            let i = random.below(ends.len().saturating_sub(1));
            let Some(&[from, to]) = ends.get(i..i + 2) else {
                return "nothing".into();
            };
            if random.below(2) == 0 {
                let record = bytes[from + 1..=to].to_vec();
                let at = ends[random.below(ends.len())] + 1;
                bytes.splice(at..at, record);
                format!("record at byte {from} repeated")
            } else {
                bytes.drain(from + 1..=to);
                format!("record at byte {from} removed")
            }
        }
    }
}

fn is_word(b: u8) -> bool {
    b.is_ascii_uppercase() || b.is_ascii_digit() || b == b'_'
}

type Span = std::ops::Range<usize>;

/// Places of the tokens that begin where `starts` says so and go on while `continues` does.
fn tokens(
    bytes: &[u8],
    starts: impl Fn(&[u8], usize) -> bool,
    continues: impl Fn(u8) -> bool,
) -> Vec<Span> {
    let mut out = Vec::new();
    let mut i = 0;
    while i < bytes.len() {
        if starts(bytes, i) {
            let end = bytes[i + 1..]
                .iter()
                .position(|b| !continues(*b))
                .map_or(bytes.len(), |n| i + 1 + n);
            out.push(i..end);
            i = end;
        } else {
            i += 1;
        }
    }
    out
}

fn choose(spans: &[Span], random: &mut Random) -> Option<Span> {
    spans.get(random.below(spans.len())).cloned()
}

fn replace(bytes: &mut Vec<u8>, at: Span, text: &[u8], what: &str) -> String {
    let old = String::from_utf8_lossy(&bytes[at.clone()]).into_owned();
    let new: String = String::from_utf8_lossy(text).chars().take(30).collect();
    let line = 1 + bytes[..at.start].iter().filter(|b| **b == b'\n').count();
    bytes.splice(at, text.iter().copied());
    format!("{what}: {old} → {new} in line {line}")
}
