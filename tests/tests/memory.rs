//! Peak memory of the import, as heap bytes over the size of the file.

use brepcd_tests::{files_with_extension, workspace};

#[global_allocator]
static MEMORY: peak_alloc::PeakAlloc = peak_alloc::PeakAlloc;

/// Heap bytes per byte of file that an import may take at most, beside what it takes for any file.
const PER_BYTE: f64 = 40.0;
/// What an import takes for any file: tables of the parser and of the quadrature.
const FIXED: usize = 200_000;

#[test]
fn an_import_takes_less_than_forty_times_the_file() {
    let mut worst = (0.0, String::new());
    for path in files_with_extension(&workspace().join("data"), &["step"]) {
        let bytes = std::fs::read(&path).expect("a part can be read");
        let before = MEMORY.current_usage();
        MEMORY.reset_peak_usage();
        let model =
            brepcd::step::read(&bytes, &Default::default(), &mut |_| {}).expect("a part is valid");
        let ratio =
            (MEMORY.peak_usage() - before).saturating_sub(FIXED) as f64 / bytes.len() as f64;
        drop(model);
        if ratio > worst.0 {
            worst = (ratio, path.display().to_string());
        }
    }
    println!(
        "at most {:.1} bytes of heap per byte of file: {}",
        worst.0, worst.1
    );
    assert!(
        worst.0 < PER_BYTE,
        "{:.1} bytes of heap per byte of {}",
        worst.0,
        worst.1
    );
}
