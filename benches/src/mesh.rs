//! Triangle meshes, as the script beside the scenes writes them: binary little-endian PLY.

/// A triangle mesh, mm.
#[derive(Clone, Debug)]
pub struct Mesh {
    /// Vertices.
    pub points: Vec<[f64; 3]>,
    /// Triangles, anticlockwise seen from outside.
    pub triangles: Vec<[u32; 3]>,
}

/// The header that the script writes, but for the two numbers.
const VERTEX: &str = "element vertex ";
const FACE: &str = "element face ";
const END: &str = "end_header\n";

impl Mesh {
    /// Reads a binary PLY file of triangles with `float` coordinates; says what is wrong with it.
    pub fn from_ply(bytes: &[u8]) -> Result<Self, String> {
        let end = bytes.windows(END.len()).position(|w| w == END.as_bytes());
        let body = end.ok_or("no header")? + END.len();
        let header = std::str::from_utf8(&bytes[..body]).map_err(|e| e.to_string())?;
        if !header.contains("format binary_little_endian") {
            return Err("not binary little-endian".into());
        }
        let number = |key: &str| {
            let line = header.lines().find_map(|line| line.strip_prefix(key));
            let line = line.ok_or_else(|| format!("no {key}"))?;
            line.parse::<usize>().map_err(|e| e.to_string())
        };
        let (vertices, faces) = (number(VERTEX)?, number(FACE)?);
        let (points, triangles) = bytes[body..]
            .split_at_checked(12 * vertices)
            .ok_or("too few vertices")?;
        if triangles.len() != 13 * faces {
            return Err("not all faces are triangles".into());
        }
        let points = points.chunks_exact(12).map(|point| {
            std::array::from_fn(|i| {
                let bytes = [0, 1, 2, 3].map(|k| point[4 * i + k]);
                f64::from(f32::from_le_bytes(bytes))
            })
        });
        let triangles = triangles.chunks_exact(13).map(|triangle| {
            std::array::from_fn(|i| {
                let bytes = [0, 1, 2, 3].map(|k| triangle[1 + 4 * i + k]);
                u32::from_le_bytes(bytes)
            })
        });
        Ok(Self {
            points: points.collect(),
            triangles: triangles.collect(),
        })
    }

    /// The volume inside.
    pub fn volume(&self) -> f64 {
        let corner = |i: u32| nalgebra::Vector3::from(self.points[i as usize]);
        let triangles = self.triangles.iter();
        triangles
            .map(|t| corner(t[0]).dot(&corner(t[1]).cross(&corner(t[2]))) / 6.0)
            .sum()
    }

    /// How many directed edges have no opposite one.
    pub fn open_edges(&self) -> usize {
        let edges = self
            .triangles
            .iter()
            .flat_map(|t| [(t[0], t[1]), (t[1], t[2]), (t[2], t[0])]);
        let edges: std::collections::HashSet<(u32, u32)> = edges.collect();
        let closed = |edge: &&(u32, u32)| !edges.contains(&(edge.1, edge.0));
        edges.iter().filter(closed).count() + 3 * self.triangles.len() - edges.len()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn tetrahedron() -> Mesh {
        Mesh {
            points: vec![[0.0; 3], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]],
            triangles: vec![[0, 2, 1], [0, 1, 3], [1, 2, 3], [2, 0, 3]],
        }
    }

    #[test]
    fn volume_and_edges_of_a_tetrahedron() {
        let mut mesh = tetrahedron();
        assert!((mesh.volume() - 1.0 / 6.0).abs() < 1e-15);
        assert_eq!(mesh.open_edges(), 0);
        mesh.triangles.pop();
        assert_eq!(mesh.open_edges(), 3);
    }

    #[test]
    fn a_cut_off_file_is_an_error() {
        let header =
            "ply\nformat binary_little_endian 1.0\nelement vertex 3\nelement face 1\nend_header\n";
        let mut bytes = header.as_bytes().to_vec();
        assert!(Mesh::from_ply(&bytes).is_err());
        bytes.extend([0; 36 + 13]);
        assert_eq!(Mesh::from_ply(&bytes).map(|m| m.triangles.len()), Ok(1));
        bytes.pop();
        assert!(Mesh::from_ply(&bytes).is_err());
    }
}
