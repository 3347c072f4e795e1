//! Lists the faces of a STEP file: entity, type, area, box.
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
                "{} {} {} {:.12} {:?} {:?}",
                face.label.unwrap_or(0),
                face.kind.name(),
                face.surface.kind_name(),
                part.brep.face_area(face),
                bounds.min.coords.as_slice(),
                bounds.max.coords.as_slice(),
            );
        }
    }
    Ok(())
}
