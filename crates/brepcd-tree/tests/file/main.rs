//! Tree files: what is written is read back bit for bit, and whatever else is read gives a clear error.

mod errors;
mod mutations;
mod sample;

use brepcd_tree::{FILE_VERSION, TreePart};
use sample::Layout;

const LAYOUTS: [Layout; 4] = [Layout::Depth, Layout::Breadth, Layout::Pairs, Layout::Odd];

/// All of a part as text; numbers with all their digits and signs, so that equal texts mean equal bits.
fn text(part: &TreePart) -> String {
    format!("{part:?}")
}

#[test]
fn every_kind_of_everything_comes_back_bit_for_bit() {
    for (seed, layout) in LAYOUTS.into_iter().enumerate() {
        for more in [0, 1, 300] {
            let part = sample::part(seed as u64, more, layout);
            let bytes = part.to_bytes().expect("writable");
            let back = TreePart::from_bytes(&bytes).expect("readable");
            assert_eq!(text(&part), text(&back), "{layout:?}");
            assert_eq!(back.to_bytes().expect("writable"), bytes, "{layout:?}");
        }
    }
}

#[test]
fn equal_parts_have_equal_bytes() {
    let bytes = || sample::part(5, 200, Layout::Depth).to_bytes().unwrap();
    assert_eq!(bytes(), bytes());
    let mut written = Vec::new();
    let part = sample::part(5, 200, Layout::Depth);
    part.write(&mut written).unwrap();
    assert_eq!(written, bytes());
}

#[test]
fn shared_splines_are_shared_again_and_stored_once() {
    let part = sample::part(1, 0, Layout::Depth);
    let back = TreePart::from_bytes(&part.to_bytes().unwrap()).unwrap();
    let splines: Vec<_> = back
        .features
        .iter()
        .filter_map(|f| match &f.shape {
            brepcd_tree::Shape::Face {
                surface: brepcd_geom::Surface::Nurbs(s),
                ..
            } => Some(s),
            _ => None,
        })
        .collect();
    assert_eq!(splines.len(), 3);
    assert!(std::sync::Arc::ptr_eq(splines[0], splines[1]));
    assert!(!std::sync::Arc::ptr_eq(splines[0], splines[2]));
}

#[test]
fn implicit_children_take_no_bytes() {
    let size = |layout| sample::part(3, 500, layout).to_bytes().unwrap().len();
    let depth = size(Layout::Depth);
    // The same nodes in another order; an odd order takes two bytes or more for children, one or more for a patch.
    let nodes = sample::part(3, 500, Layout::Odd).nodes.len();
    assert_eq!(size(Layout::Pairs), depth);
    assert!(size(Layout::Breadth).abs_diff(depth) < nodes / 10);
    assert!(size(Layout::Odd) > depth + 3 * (nodes - 1) / 2);
}

#[test]
fn an_empty_part_is_a_small_file() {
    let mut part = sample::part(0, 0, Layout::Depth);
    part.names.clear();
    part.sources.clear();
    part.shells.clear();
    part.features.clear();
    part.spans.clear();
    part.tangents.clear();
    part.trims.clear();
    part.borders.clear();
    part.crossings.clear();
    part.control.clear();
    part.patches.clear();
    part.nodes.clear();
    let bytes = part.to_bytes().unwrap();
    assert!(bytes.len() < 376 + 16, "{}", bytes.len());
    let back = TreePart::from_bytes(&bytes).unwrap();
    assert_eq!(text(&part), text(&back));
}

#[test]
fn the_first_bytes_say_what_it_is() {
    let bytes = sample::part(0, 0, Layout::Depth).to_bytes().unwrap();
    assert_eq!(&bytes[..8], b"\x89BRCD\r\n\n");
    assert_eq!(bytes[8..12], FILE_VERSION.to_le_bytes());
    assert_eq!(&bytes[24..28], b"HEAD");
}

/// Prints how fast files load: `cargo test --release -p brepcd-tree --test file -- --ignored --nocapture`.
#[test]
#[ignore = "a measurement"]
fn loading_speed() {
    let part = sample::part(9, 4000, Layout::Depth);
    let bytes = part.to_bytes().unwrap();
    let mut times: Vec<f64> = (0..200)
        .map(|_| {
            let start = std::time::Instant::now();
            let part = TreePart::from_bytes(&bytes).unwrap();
            let time = start.elapsed().as_secs_f64();
            assert_eq!(part.nodes.len(), 8049);
            time
        })
        .collect();
    times.sort_by(f64::total_cmp);
    let size = bytes.len() as f64 / 1e6;
    println!(
        "{size:.2} MB, {} nodes: {:.2} ms, {:.0} MB/s",
        part.nodes.len(),
        times[100] * 1e3,
        size / times[100]
    );
}
