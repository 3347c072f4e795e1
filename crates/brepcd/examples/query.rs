//! All local minimal distances of two parts at a pose.
//!
//! `cargo run --release -p brepcd --example query -- A B TX TY TZ`, with STEP or tree files and the place of B in the
//! frame of A; without arguments, a ball beside a cylinder.

use std::path::PathBuf;

use brepcd::geom::Pose;
use brepcd::query::Options;
use brepcd::{Status, Workspace};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut args = std::env::args().skip(1);
    let parts = PathBuf::from(concat!(env!("CARGO_MANIFEST_DIR"), "/../../data/parts"));
    let a = args
        .next()
        .map_or(parts.join("cylinder.step"), PathBuf::from);
    let b = args.next().map_or(parts.join("sphere.step"), PathBuf::from);
    let place: Vec<f64> = args.map(|x| x.parse()).collect::<Result<_, _>>()?;
    let place = <[f64; 3]>::try_from(place).unwrap_or([19.0, -2.0, 7.0]);

    // A STEP file is preprocessed, a tree file is read as it is. This is done once.
    let (a, b) = (brepcd::load_part(a)?.part, brepcd::load_part(b)?.part);
    let options = Options {
        prediction: 10.0,
        ..Options::default()
    };

    // The workspace keeps its buffers from pose to pose; this is what runs in a loop.
    let mut workspace = Workspace::new();
    let a_from_b = Pose::translation(place[0], place[1], place[2]);
    let answer = workspace.contacts(&a, &b, &a_from_b, &options)?;

    if answer.status == Status::Overlapping {
        println!("overlapping: {:?}", answer.overlap);
    }
    for lmd in &answer.lmds {
        println!(
            "{:.6} mm from {} along {:?}",
            lmd.distance,
            lmd.point_a,
            lmd.normal.as_slice()
        );
    }
    if answer.stats.unresolved > 0 {
        println!("{} solves did not finish", answer.stats.unresolved);
    }
    Ok(())
}
