//! STEP text to exact boundary representations, with a located warning for everything that is not taken over.
//!
//! [`read`] parses an exchange file (AP203, AP214, AP242), converts it to millimetres and radians, and gives the
//! distinct parts and the assembly tree that places them. A damaged face is a [`Warning`], a file that is no STEP file
//! a [`StepError`]; nothing is dropped silently.
//!
//! `p21` alone knows the parser. `placement`, `curves`, `bspline`, `surfaces` and `revolution` read geometry,
//! `topology` and `borders` build one part of it, `structure` and `assembly` find the parts and place them.

mod assembly;
mod borders;
mod bspline;
mod curves;
mod error;
mod formats;
mod log;
mod model;
mod p21;
mod placement;
mod revolution;
mod structure;
mod surfaces;
mod topology;
mod units;

use std::path::Path;

pub use error::StepError;
pub use model::{Model, Node, Part, Recognized, Warning};

use assembly::Assembly;
use p21::Exchange;

/// Limits of the import.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct ReadOptions {
    /// Largest file taken, bytes.
    pub max_bytes: u64,
    /// Most nodes of the assembly tree; what exceeds it is left out with a warning.
    pub max_instances: usize,
}

impl Default for ReadOptions {
    fn default() -> Self {
        Self {
            max_bytes: 4 << 30,
            max_instances: 50_000,
        }
    }
}

/// How far the import is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Progress {
    /// `parse` (in bytes), then `build` (in faces).
    pub stage: &'static str,
    /// What is done of this stage.
    pub done: usize,
    /// What there is to do.
    pub total: usize,
}

/// Reads a STEP file.
pub fn read_file(path: impl AsRef<Path>) -> Result<Model, StepError> {
    let path = path.as_ref();
    let failed = |source| StepError::Io {
        path: path.display().to_string(),
        source,
    };
    let options = ReadOptions::default();
    let bytes = std::fs::metadata(path).map_err(failed)?.len();
    if bytes > options.max_bytes {
        return Err(StepError::TooLarge {
            bytes,
            limit: options.max_bytes,
        });
    }
    let bytes = std::fs::read(path).map_err(failed)?;
    read(&bytes, &options, &mut |_| {})
}

/// Reads STEP text; `progress` hears of every stage.
pub fn read(
    bytes: &[u8],
    options: &ReadOptions,
    progress: &mut dyn FnMut(Progress),
) -> Result<Model, StepError> {
    if bytes.len() as u64 > options.max_bytes {
        return Err(StepError::TooLarge {
            bytes: bytes.len() as u64,
            limit: options.max_bytes,
        });
    }
    progress(Progress {
        stage: "parse",
        done: 0,
        total: bytes.len(),
    });
    let file = Exchange::parse(bytes)?;
    progress(Progress {
        stage: "parse",
        done: bytes.len(),
        total: bytes.len(),
    });
    progress(Progress {
        stage: "build",
        done: 0,
        total: 1,
    });
    let mut assembly = Assembly::new(&file, options, progress);
    for (line, message) in file.repairs() {
        assembly.log.warnings.push(Warning {
            label: None,
            line,
            message,
        });
    }
    let (roots, units, faces_in_file) = assembly.read();
    let (parts, log) = (assembly.parts, assembly.log);
    if parts.is_empty() {
        let first_warning = log
            .warnings
            .first()
            .map(|w| format!("; {w}"))
            .unwrap_or_default();
        return Err(StepError::NoShape { first_warning });
    }
    let faces_imported = log.imported.len();
    Ok(Model {
        schema: file.schema(),
        unit: units.name,
        unit_scale: units.length,
        parts,
        roots,
        warnings: log.warnings,
        recognized: log.recognized,
        faces_in_file,
        faces_imported,
        faces_warned: faces_in_file - faces_imported.min(faces_in_file),
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use brepcd_geom::Point3;
    use std::path::PathBuf;

    fn part(name: &str) -> String {
        let path = PathBuf::from(env!("CARGO_MANIFEST_DIR"))
            .join("../../data/parts")
            .join(name);
        std::fs::read_to_string(path).expect("the part is there")
    }

    fn import(text: &str) -> Result<Model, StepError> {
        read(text.as_bytes(), &ReadOptions::default(), &mut |_| {})
    }

    fn corner_of(model: &Model) -> Point3 {
        model.placed_brep().bounding_box().max
    }

    #[test]
    fn every_part_is_read_completely() {
        let folder = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../data/parts");
        let mut count = 0;
        for path in std::fs::read_dir(folder)
            .expect("data/parts")
            .flatten()
            .map(|entry| entry.path())
        {
            if path.extension().is_none_or(|e| e != "step") {
                continue;
            }
            let model = read_file(&path).expect("a valid file");
            assert_eq!(
                model.faces_in_file,
                model.faces_imported,
                "{}: {:?}",
                path.display(),
                model.warnings
            );
            let harmless = |w: &Warning| w.message.starts_with("an offset surface, approximated");
            assert!(
                model.warnings.iter().all(harmless),
                "{}: {:?}",
                path.display(),
                model.warnings
            );
            count += 1;
        }
        assert!(count > 30);
    }

    #[test]
    fn units_become_millimetres() {
        let (inch, metre) = (
            import(&part("box_inch.step")),
            import(&part("frustum_metre.step")),
        );
        let (inch, metre) = (inch.expect("inches"), metre.expect("metres"));
        assert_eq!((inch.unit.as_str(), inch.unit_scale), ("inch", 25.4));
        assert_eq!((metre.unit.as_str(), metre.unit_scale), ("m", 1000.0));
        assert!((corner_of(&inch) - Point3::new(11.0, 22.0, 33.0)).norm() < 1e-9);
        assert!((corner_of(&metre) - Point3::new(6.0, 6.0, 8.0)).norm() < 1e-9);
    }

    #[test]
    fn parts_are_distinct_and_placed_as_the_assembly_says() {
        let model = import(&part("assembly.step")).expect("an assembly");
        assert_eq!(
            model
                .parts
                .iter()
                .map(|p| p.name.as_str())
                .collect::<Vec<_>>(),
            ["plate", "peg"]
        );
        let [root] = model.roots.as_slice() else {
            panic!("one root")
        };
        assert_eq!(
            (root.name.as_str(), root.part, root.children.len()),
            ("fixture", None, 3)
        );
        assert_eq!(root.children[1].occurrence, "upper pair");
        assert_eq!(
            model
                .instances()
                .iter()
                .map(|(part, _)| *part)
                .collect::<Vec<_>>(),
            [0, 1, 1, 1, 1]
        );
        assert!((corner_of(&model) - Point3::new(35.0, 10.0, 33.0)).norm() < 1e-9);
    }

    #[test]
    fn a_damaged_face_is_a_located_warning() {
        let text = part("box.step");
        let at = text.find("PLANE(").expect("a plane");
        let line = 1 + text[..at].matches('\n').count() as u32;
        let model = import(&text.replacen("PLANE(", "BLANK(", 1)).expect("the rest of the box");
        assert_eq!(
            (
                model.faces_in_file,
                model.faces_imported,
                model.faces_warned
            ),
            (6, 5, 1)
        );
        let warning = model
            .warnings
            .iter()
            .find(|w| w.message.contains("BLANK"))
            .expect("a warning");
        assert!(warning.label.is_some() && warning.line.is_some());
        assert!(
            warning.message.contains(&format!("(line {line})")),
            "{warning}"
        );
    }

    #[test]
    fn shapes_of_no_product_are_read() {
        // Without the representation, the solid belongs to nothing; without the solid, the shell does.
        let text = part("lemon.step").replace("(#31,#22),#27", "(#31),#27");
        let model = import(&text).expect("a solid");
        assert_eq!(
            (model.faces_imported, model.placed_brep().solids.len()),
            (1, 1)
        );
        let model =
            import(&text.replace("MANIFOLD_SOLID_BREP", "MANIFOLD_LIQUID_BREP")).expect("a shell");
        assert_eq!(
            (model.faces_imported, model.placed_brep().solids.len()),
            (1, 0)
        );
        assert_eq!(model.roots.len(), 1);
    }

    #[test]
    fn faces_of_no_shell_are_counted() {
        let text = part("lemon.step").replace(
            "ENDSEC;\nEND-ISO",
            "#99=ADVANCED_FACE('',(#19),#15,.F.);\nENDSEC;\nEND-ISO",
        );
        let model = import(&text).expect("a solid");
        assert_eq!(
            (
                model.faces_in_file,
                model.faces_imported,
                model.faces_warned
            ),
            (2, 1, 1)
        );
        assert!(model.warnings.iter().any(|w| w.label == Some(99)));
    }

    #[test]
    fn an_assembly_of_itself_ends() {
        let cycle = "#90=NEXT_ASSEMBLY_USAGE_OCCURRENCE('1','a','',#39,#39,$);\n\
                     #91=NEXT_ASSEMBLY_USAGE_OCCURRENCE('2','b','',#39,#39,$);\nENDSEC;\nEND-ISO";
        let model =
            import(&part("lemon.step").replace("ENDSEC;\nEND-ISO", cycle)).expect("a solid");
        assert_eq!(model.instances().len(), 1);
        assert!(
            model
                .warnings
                .iter()
                .any(|w| w.message.contains("contains itself"))
        );
    }

    #[test]
    fn mapped_items_show_their_representation() {
        let mapped = "#80=CARTESIAN_POINT('',(10.,0.,0.));\n#81=AXIS2_PLACEMENT_3D('',#80,$,$);\n\
            #82=REPRESENTATION_MAP(#31,#32);\n#83=MAPPED_ITEM('',#82,#81);\n#84=MAPPED_ITEM('',#82,#31);\n\
            #85=SHAPE_REPRESENTATION('',(#83,#84),#27);\nENDSEC;\nEND-ISO";
        let text = part("lemon.step")
            .replace("(#40,#32)", "(#40,#85)")
            .replace("ENDSEC;\nEND-ISO", mapped);
        let model = import(&text).expect("two lemons");
        assert_eq!((model.parts.len(), model.instances().len()), (1, 2));
        assert!((corner_of(&model).x - 12.0).abs() < 1e-9);
    }

    #[test]
    fn files_that_are_no_shape_are_errors() {
        let text = part("box.step");
        assert!(matches!(
            import("ply\nformat ascii 1.0\n"),
            Err(StepError::NotStep { .. })
        ));
        let cut = import(&text[..text.len() / 2]).expect_err("half a file");
        assert!(
            matches!(&cut, StepError::Syntax { line, .. } if *line > 10),
            "{cut}"
        );
        let empty = import(&text.replace("ADVANCED_FACE", "ADVANCING_FACE")).expect_err("no face");
        assert!(matches!(empty, StepError::NoShape { .. }), "{empty}");
        let limit = ReadOptions {
            max_bytes: 100,
            ..ReadOptions::default()
        };
        assert!(matches!(
            read(text.as_bytes(), &limit, &mut |_| {}),
            Err(StepError::TooLarge { limit: 100, .. })
        ));
        assert!(matches!(
            read_file("no/such/file.step"),
            Err(StepError::Io { .. })
        ));
    }

    #[test]
    fn faceted_solids_share_their_edges() {
        let data = "#1=CARTESIAN_POINT('',(0.,0.,0.));#2=CARTESIAN_POINT('',(1.,0.,0.));#3=CARTESIAN_POINT('',(0.,1.,0.));\
            #4=CARTESIAN_POINT('',(0.,0.,1.));#5=POLY_LOOP('',(#1,#3,#2));#6=POLY_LOOP('',(#1,#2,#4));\
            #7=POLY_LOOP('',(#2,#3,#4));#8=POLY_LOOP('',(#4,#3,#1));#9=FACE_OUTER_BOUND('',#5,.T.);\
            #10=FACE_OUTER_BOUND('',#6,.T.);#11=FACE_OUTER_BOUND('',#7,.T.);#12=FACE_OUTER_BOUND('',#8,.T.);\
            #13=FACE('',(#9));#14=FACE('',(#10));#15=FACE('',(#11));#16=FACE('',(#12));\
            #17=CLOSED_SHELL('',(#13,#14,#15,#16));#18=FACETED_BREP('tetrahedron',#17);";
        let text = part("box.step");
        let (start, end) = (
            text.find("DATA;").expect("data"),
            text.rfind("ENDSEC;").expect("its end"),
        );
        let model = import(&format!(
            "{}DATA;\n{data}\n{}",
            &text[..start],
            &text[end..]
        ))
        .expect("a tetrahedron");
        let brep = model.placed_brep();
        assert_eq!(
            (brep.faces.len(), brep.edges.len(), brep.vertices.len()),
            (4, 6, 4)
        );
        assert!((brep.mass_properties().volume - 1.0 / 6.0).abs() < 1e-12);
    }

    #[test]
    fn hidden_canonical_surfaces_are_reported() {
        let model = import(&part("nurbs_cylinder.step")).expect("a cylinder");
        let kinds: Vec<&str> = model.recognized.iter().map(|r| r.to).collect();
        assert_eq!(kinds.iter().filter(|k| **k == "cylinder").count(), 1);
        assert!(
            model
                .recognized
                .iter()
                .all(|r| r.from.name() == "bspline" && r.deviation < 1e-6)
        );
    }
}
