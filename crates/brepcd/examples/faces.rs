//! Lists the faces of a STEP file: entity, type, area, how far the area is open, vector area, box.
//!
//! ```text
//! cargo run --release -p brepcd --example faces -- part.step
//! ```

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let path = std::env::args().nth(1).ok_or("usage: faces PART.step")?;
    let model = brepcd::read_step(path)?;
    for part in &model.parts {
        for face in &part.brep.faces {
            let bounds = part.brep.face_box(face);
            println!(
                "{} {} {} {:.12} {:.3e} {:?} {:?} {:?}",
                face.label.unwrap_or(0),
                face.kind.name(),
                face.surface.kind_name(),
                part.brep.face_area(face),
                part.brep.border_slack(face),
                vector_area(&part.brep, face),
                bounds.min.coords.as_slice(),
                bounds.max.coords.as_slice(),
            );
        }
    }
    Ok(())
}

/// The integral of the outward normal over a face; over a closed shell they add up to nothing.
fn vector_area(brep: &brepcd::Brep, face: &brepcd::brep::Face) -> [f64; 3] {
    use brepcd::geom::Vec3;
    let centre = brep.face_box(face).centre();
    let volume = |by: Vec3| brep.face_volume(face, &(centre + by));
    [Vec3::x(), Vec3::y(), Vec3::z()].map(|axis: Vec3| 3.0 * (volume(Vec3::zeros()) - volume(axis)))
}
