//! Turns shells whose normals point into the material.
//!
//! Files disagree on whether the shell of a void is listed as a cavity or as the body it cuts away, and some exporters
//! write whole bodies inside out. The volume tells: an outer shell encloses a positive one, a void a negative one.

use crate::{Brep, Finding, Severity, ShellId};

/// Turns the shells of all solids the right way round, noting what was turned.
pub(crate) fn shells(brep: &mut Brep, findings: &mut Vec<Finding>) {
    for index in 0..brep.solids.len() {
        let (outer, voids) = (brep.solids[index].outer, brep.solids[index].voids.clone());
        let roles = std::iter::once((outer, 1.0)).chain(voids.into_iter().map(|v| (v, -1.0)));
        for (id, sign) in roles {
            let shell = &brep.shells[id.index()];
            if !shell.closed || brep.shell_volume_sign(shell) * sign >= 0.0 {
                continue;
            }
            let (severity, message) = if sign > 0.0 {
                (
                    Severity::Warning,
                    "the normals of the shell point into its solid; it was turned",
                )
            } else {
                (
                    Severity::Note,
                    "the shell of a void was listed as a body; it was turned",
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
