//! Turns shells whose normals point into the material.
//!
//! Files disagree on whether the shell of a void is listed as a cavity or as the body it cuts away, and some exporters
//! write whole bodies inside out. The volume tells: an outer shell encloses a positive one, a void a negative one.

use crate::{Brep, Finding, Severity, ShellId};

/// Puts the largest shell of every solid outside and turns its shells the right way round, noting what was turned.
pub(crate) fn shells(brep: &mut Brep, findings: &mut Vec<Finding>) {
    for index in 0..brep.solids.len() {
        let solid = &brep.solids[index];
        let mut volumes: Vec<(ShellId, f64)> = std::iter::once(solid.outer)
            .chain(solid.voids.iter().copied())
            .map(|id| (id, brep.shell_volume_sign(&brep.shells[id.index()])))
            .collect();
        // The first of several equal ones, so that nothing moves without need.
        let largest = (0..volumes.len())
            .rev()
            .max_by(|&a, &b| volumes[a].1.abs().total_cmp(&volumes[b].1.abs()));
        volumes.swap(0, largest.unwrap_or(0));
        let solid = &mut brep.solids[index];
        solid.outer = volumes[0].0;
        solid.voids = volumes[1..].iter().map(|(id, _)| *id).collect();
        for (place, (id, volume)) in volumes.into_iter().enumerate() {
            let shell = &brep.shells[id.index()];
            if !shell.closed || (place == 0) == (volume >= 0.0) {
                continue;
            }
            let (severity, message) = if place == 0 {
                (
                    Severity::Warning,
                    "the solid was inside out and has been turned",
                )
            } else {
                (
                    Severity::Note,
                    "the shell of a void was listed as a body and has been turned",
                )
            };
            findings.push(Finding {
                severity,
                label: shell.label,
                face: None,
                edge: None,
                message: message.into(),
            });
            turn(brep, id);
        }
    }
}

/// Turns all faces of a shell; their borders run the other way then.
fn turn(brep: &mut Brep, shell: ShellId) {
    for id in brep.shells[shell.index()].faces.clone() {
        let face = &mut brep.faces[id.index()];
        face.same_sense = !face.same_sense;
        face.domain
            .chains
            .iter_mut()
            .for_each(crate::Chain::reverse);
        for border in &mut face.loops {
            border.coedges.reverse();
            for coedge in &mut border.coedges {
                coedge.forward = !coedge.forward;
            }
        }
    }
    for edge in &mut brep.edges {
        for side in edge
            .uses
            .iter_mut()
            .filter(|u| brep.faces[u.face.index()].shell == shell)
        {
            side.forward = !side.forward;
        }
    }
}
