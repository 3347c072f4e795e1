//! Benches over many items that report the time of one.

use std::time::Instant;

use criterion::Bencher;

/// Runs over all items, again and again, and reports the mean time per item: only whole rounds are run, so that every item
/// counts alike.
pub fn each<T>(bencher: &mut Bencher, items: &[T], mut run: impl FnMut(&T)) {
    bencher.iter_custom(|asked| {
        let rounds = asked.div_ceil(items.len() as u64);
        let start = Instant::now();
        for _ in 0..rounds {
            items.iter().for_each(&mut run);
        }
        let done = (rounds * items.len() as u64) as f64;
        start.elapsed().mul_f64(asked as f64 / done)
    });
}
