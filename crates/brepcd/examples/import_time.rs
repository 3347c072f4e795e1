//! Times the whole import of STEP files: read, parse, build, validate. Prints the best of some runs, and
//! on Linux the peak resident memory of the process in kB.
//!
//! ```text
//! cargo run --release -p brepcd --example import_time -- 5 part.step
//! ```

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut args = std::env::args().skip(1);
    let runs: usize = args
        .next()
        .ok_or("usage: import_time RUNS PART.step…")?
        .parse()?;
    for path in args {
        let mut best = f64::INFINITY;
        let mut faces = 0;
        for _ in 0..runs {
            let start = std::time::Instant::now();
            let model = brepcd::read_step(&path)?;
            best = best.min(start.elapsed().as_secs_f64());
            faces = model.faces_imported;
        }
        println!("{best:.6} {faces} {path}");
    }
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let peak = status.lines().find_map(|line| line.strip_prefix("VmHWM:"));
    println!(
        "peak {}",
        peak.unwrap_or("unknown").trim().trim_end_matches(" kB")
    );
    Ok(())
}
