//! Checks of a finished part: every edge of a closed shell has a face on both sides, edges lie on their faces.

use crate::{Brep, EdgeId, Face, FaceId, Finding, Severity};

/// Factor on the length tolerance above which an edge off its face is reported.
const OFF_FACE: f64 = 100.0;

/// Appends what is wrong with a part.
pub(crate) fn check(brep: &Brep, findings: &mut Vec<Finding>) {
    edge_uses(brep, findings);
    for (index, face) in brep.faces.iter().enumerate() {
        edges_on_face(brep, FaceId::at(index), face, findings);
        if face.domain.chains.is_empty() && face.domain.whole == 0 {
            findings.push(Finding {
                severity: Severity::Error,
                label: face.label,
                face: Some(FaceId::at(index)),
                edge: None,
                message: format!(
                    "the {} face has no border, but its surface is not closed",
                    face.kind.name()
                ),
            });
        }
    }
}

fn edge_uses(brep: &Brep, findings: &mut Vec<Finding>) {
    for (index, edge) in brep.edges.iter().enumerate() {
        let Some(first) = edge.uses.first() else {
            continue;
        };
        let shell = &brep.shells[brep.faces[first.face.index()].shell.index()];
        if !shell.closed {
            continue;
        }
        let message = match edge.uses.as_slice() {
            [a, b] if a.forward != b.forward => continue,
            [_, _] => "both faces of the edge run along it the same way".to_owned(),
            [_] => "the edge of a closed shell has a face on one side only".to_owned(),
            more => format!("{} faces share the edge", more.len()),
        };
        findings.push(Finding {
            severity: Severity::Warning,
            label: edge.label,
            face: Some(first.face),
            edge: Some(EdgeId::at(index)),
            message,
        });
    }
}

/// Compares edges and surface at the ends and in the middle of every pcurve.
fn edges_on_face(brep: &Brep, id: FaceId, face: &Face, findings: &mut Vec<Finding>) {
    let mut worst = (0.0, None);
    for segment in face.domain.chains.iter().flat_map(|c| &c.segments) {
        let Some(edge) = segment.edge else { continue };
        let last = segment.samples.len() - 1;
        for sample in [0, last / 2, last].map(|i| segment.samples[i]) {
            let gap = (brep.edges[edge.index()].jet(sample.t).p
                - face.surface.point(sample.uv.x, sample.uv.y))
            .norm();
            if gap.is_nan() || gap > worst.0 {
                worst = (gap, Some(edge));
            }
        }
    }
    if let (gap, Some(edge)) = worst
        && (gap.is_nan() || gap > OFF_FACE * brep.tolerance.length)
    {
        let name = brep.edges[edge.index()]
            .label
            .map_or_else(|| "an edge".to_owned(), |l| format!("edge #{l}"));
        findings.push(Finding {
            severity: Severity::Warning,
            label: face.label,
            face: Some(id),
            edge: Some(edge),
            message: format!("{name} lies {gap:.3e} mm off the {} face", face.kind.name()),
        });
    }
}

impl Brep {
    /// What the area of a face may vary by because its edges do not lie on its surface, mm²: their distance from it
    /// times their length.
    pub fn border_slack(&self, face: &Face) -> f64 {
        let mut slack = 0.0;
        for segment in face.domain.chains.iter().flat_map(|c| &c.segments) {
            let Some(edge) = segment.edge else { continue };
            let edge = &self.edges[edge.index()];
            let (mut gap, mut length) = (0.0f64, 0.0);
            for pair in segment.samples.windows(2) {
                let [a, b] = [pair[0], pair[1]]
                    .map(|s| (edge.jet(s.t).p, face.surface.point(s.uv.x, s.uv.y)));
                gap = gap.max((a.0 - a.1).norm()).max((b.0 - b.1).norm());
                length += (b.0 - a.0).norm();
            }
            slack += gap * length;
        }
        slack
    }
}
