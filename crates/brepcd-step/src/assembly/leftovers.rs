//! What belongs to no product: it is read all the same, or counted.

use brepcd_geom::Pose;

use super::{Assembly, is_body};
use crate::model::Node;
use crate::p21::Entity;
use crate::structure::items;
use crate::topology::{FACES, SHELLS, Shapes, unused};

impl<'a> Assembly<'a, '_> {
    /// Shapes that belong to no product and that nobody shows.
    pub(super) fn representations_of_nobody(&mut self, roots: &mut Vec<Node>) {
        for shown in [false, true] {
            for id in self.structure.representations.clone() {
                if self.visited.contains(&id) || self.structure.mapped.contains(&id) != shown {
                    continue;
                }
                let Some((ids, _)) = self.file.find(id).and_then(items) else {
                    continue;
                };
                let unread = ids
                    .iter()
                    .any(|item| self.file.find(*item).is_some_and(|e| self.is_unread(e)));
                if !unread || !self.spend(id) {
                    continue;
                }
                let name = self
                    .file
                    .find(id)
                    .map(|e| e.args().text(0))
                    .unwrap_or_default();
                let node = self.shape_node(name, &[id], 0);
                if node.part.is_some() || !node.children.is_empty() {
                    roots.push(node);
                }
            }
        }
    }

    /// True for a body none of whose faces was met, and for an item that shows a representation nobody has shown.
    fn is_unread(&self, entity: Entity<'a>) -> bool {
        let met = |face: &u64| self.log.imported.contains(face) || self.log.refused.contains(face);
        if entity.is("MAPPED_ITEM") {
            let map = entity
                .args()
                .reference(1)
                .ok()
                .and_then(|id| self.file.find(id));
            return map
                .and_then(|m| m.args().reference(1).ok())
                .is_some_and(|id| !self.visited.contains(&id));
        }
        if entity.one_of(FACES).is_some() {
            return !met(&entity.id());
        }
        if entity.one_of(SHELLS).is_some() {
            return !entity
                .args()
                .references(1)
                .unwrap_or_default()
                .iter()
                .any(met);
        }
        is_body(entity) && !self.bodies_read.contains(&entity.id())
    }

    /// Solids and shells in no representation, as one part.
    pub(super) fn bodies_of_nobody(&mut self, roots: &mut Vec<Node>) {
        let mut shapes = Shapes::new(self.geometry(None));
        for id in self.structure.bodies.clone() {
            if !self.bodies_read.contains(&id)
                && let Some(entity) = self.file.find(id)
            {
                shapes.item(entity);
            }
        }
        for id in self.structure.shells.clone() {
            let Some(entity) = self.file.find(id).filter(|e| self.is_unread(*e)) else {
                continue;
            };
            let faces = entity.args().references(1).unwrap_or_default();
            if !faces
                .iter()
                .any(|f| shapes.log.imported.contains(f) || shapes.log.refused.contains(f))
            {
                shapes.item(entity);
            }
        }
        if shapes.is_empty() {
            self.log.append(shapes.log);
        } else if let part @ Some(_) = self.finish_part(String::new(), shapes) {
            let (name, occurrence) = ("unreferenced".to_owned(), String::new());
            roots.push(Node {
                name,
                occurrence,
                placement: Pose::identity(),
                part,
                children: Vec::new(),
            });
        }
    }

    /// Every face that is in no part gets a warning.
    pub(super) fn faces_of_nobody(&mut self) {
        for id in self.structure.faces.clone() {
            if !self.log.imported.contains(&id)
                && !self.log.refused.contains(&id)
                && let Some(entity) = self.file.find(id)
            {
                self.log.refuse_face(self.file, id, &unused(entity));
            }
        }
    }
}
