//! The page `docs/accuracy.md`: one table of distances and one of points, rounded up to powers of ten.

use std::path::PathBuf;

use brepcd_tests::workspace;

use crate::known::Worst;
use crate::sites::Kind;

type Table = [([Kind; 2], Worst)];

/// How much above the page a measurement may be: rounding differs from machine to machine.
const SLACK: f64 = 10.0;
/// Errors below this are rounding of the places themselves.
const ROUNDING: f64 = 1e-15;

fn path() -> PathBuf {
    workspace().join("docs/accuracy.md")
}

/// The next power of ten.
fn rounded_up(error: f64) -> i32 {
    error.max(ROUNDING).log10().ceil() as i32
}

fn cell(worst: &Worst, error: f64) -> String {
    match worst.cases {
        0 => "–".to_owned(),
        _ => format!("1e{}", rounded_up(error)),
    }
}

fn of(table: &Table, a: Kind, b: Kind) -> Option<&Worst> {
    let found = table.iter().find(|(kinds, _)| *kinds == [a, b]);
    found.map(|(_, worst)| worst)
}

fn matrix(table: &Table, error: impl Fn(&Worst) -> f64) -> String {
    let mut out = String::from("| |");
    for kind in Kind::ALL {
        out += &format!(" {} |", kind.name());
    }
    out += "\n|---|";
    out += &"---|".repeat(Kind::ALL.len());
    for row in Kind::ALL {
        out += &format!("\n| {} |", row.name());
        for column in Kind::ALL {
            let text = of(table, row, column).map(|worst| cell(worst, error(worst)));
            out += &format!(" {} |", text.unwrap_or_default());
        }
    }
    out + "\n"
}

fn heading(what: &str) -> String {
    format!("## Error of {what}\n\n")
}

const DISTANCES: &str = "distances";
const POINTS: &str = "points";

/// Writes the page.
pub fn write(table: &Table) {
    let cases: usize = table.iter().map(|(_, worst)| worst.cases).sum();
    let unresolved: u64 = table.iter().map(|(_, worst)| worst.unresolved).sum();
    let fewest = table.iter().map(|(_, worst)| worst.cases);
    let fewest = fewest.filter(|cases| *cases > 0).min().unwrap_or(0);
    let text = format!(
        "# Accuracy\n\n\
         The worst errors of a query for every pair of feature kinds, on poses whose answer is known: a point of one\n\
         feature is put at a chosen distance in front of a point of another, their normals opposite, such that the\n\
         curvatures make it a minimum. The query must report that pair of points.\n\n\
         - Errors are relative to half the diagonal of the larger part's box, and rounded up to powers of ten.\n\
         - Distances are 0.001 to 0.5 of the smaller part. Minima are well-conditioned: away from families.\n\
         - Hollow faces count with full ones; Bézier pieces come from B-spline faces and edges that are not canonical.\n\
         - `–`: along a straight generator the distance to a plane is the same, so there is no isolated minimum. Edges and\n\
         \u{20}\u{20}vertices answer for these pairs.\n\
         - {cases} poses, at least {fewest} for a pair; none of the known minima is missing; {unresolved} solves\n\
         \u{20}\u{20}unresolved.\n\n\
         Limits: 1e-12 where both are canonical, 1e-9 where one is a Bézier piece. `tests/tests/accuracy.rs` checks them\n\
         and this page, and writes it: `cargo test --release -p brepcd-tests --test accuracy -- --ignored write`.\n\n\
         {}{}\n{}{}",
        heading(DISTANCES),
        matrix(table, |worst| worst.distance),
        heading(POINTS),
        matrix(table, |worst| worst.place),
    );
    std::fs::write(path(), text).expect("docs/accuracy.md can be written");
}

/// Asserts that the page says what is measured.
pub fn check(table: &Table) {
    let text = std::fs::read_to_string(path()).expect("docs/accuracy.md");
    let read = |what: &str, kinds: [Kind; 2]| -> Option<f64> {
        let (_, section) = text.split_once(&heading(what))?;
        let start = format!("| {} |", kinds[0].name());
        let row = section.lines().find(|line| line.starts_with(&start))?;
        let column = Kind::ALL.iter().position(|kind| *kind == kinds[1])?;
        row.split('|').nth(column + 2)?.trim().parse().ok()
    };
    for (kinds, worst) in table {
        for (what, error) in [(DISTANCES, worst.distance), (POINTS, worst.place)] {
            let published = read(what, *kinds);
            assert_eq!(published.is_some(), worst.cases > 0, "{what} of {kinds:?}");
            let known = published.unwrap_or(0.0);
            assert!(
                error <= known * SLACK,
                "{what} of {kinds:?}: {error:e}, the page has {known:e}"
            );
        }
    }
}
