//! From a STEP model to a tree.

use brepcd_prep::{Grouping, Provenance, Statistics};
use brepcd_step::Model;
use brepcd_tree::{Header, ShortCone, TreePart};

/// Which normal cones a tree has.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Cones {
    /// Polyhedral ones, and circular ones for a quick test before them.
    #[default]
    Polyhedral,
    /// Circular ones alone, to measure what the others are worth.
    Revolution,
}

/// How to preprocess; what is `None` is chosen to suit the part.
#[derive(Clone, Copy, Debug, Default)]
pub struct TreeOptions {
    /// Normal spread above which patches are split, radians.
    pub max_angle: Option<f64>,
    /// Size below which patches are not split, mm.
    pub min_size: Option<f64>,
    /// Distance within which a point counts as on a border, mm.
    pub border: Option<f64>,
    /// Angle by which normal cones are dilated, radians.
    pub regularization: f64,
    /// Which normal cones the tree has.
    pub cones: Cones,
    /// Which faces and edges are one feature.
    pub grouping: Grouping,
}

/// Turns a model, all instances placed, into a tree; `source` names the file and `bytes` are its content.
pub fn preprocess(
    model: &Model,
    source: &str,
    bytes: &[u8],
    options: &TreeOptions,
) -> (TreePart, Statistics) {
    let brep = model.placed_brep();
    let mut settings = brepcd_prep::default_settings(&brep);
    settings.max_angle = options.max_angle.unwrap_or(settings.max_angle);
    settings.min_size = options.min_size.unwrap_or(settings.min_size);
    settings.border = options.border.unwrap_or(settings.border);
    settings.regularization = options.regularization;
    let header = Header {
        source: source.to_owned(),
        source_hash: brepcd_tree::source_hash(bytes),
        settings,
        tolerance: brep.tolerance.length,
        size: 0.0,
        reach: 0.0,
    };
    let (mut part, statistics) =
        brepcd_prep::preprocess_grouped(&brep, &provenance(model), header, options.grouping);
    if options.cones == Cones::Revolution {
        for node in &mut part.nodes {
            node.cone = ShortCone::WHOLE;
        }
    }
    (part, statistics)
}

/// Which items of the placed B-Rep belong to which instance.
fn provenance(model: &Model) -> Provenance {
    let mut out = Provenance::default();
    let mut next = [0u32; 3];
    for (part, _) in model.instances() {
        let part = &model.parts[part];
        out.names.push(part.name.clone());
        out.starts.push(next);
        let counts = [
            part.brep.faces.len(),
            part.brep.edges.len(),
            part.brep.vertices.len(),
        ];
        for (next, count) in next.iter_mut().zip(counts) {
            *next += u32::try_from(count).unwrap_or(u32::MAX - *next);
        }
    }
    out
}
