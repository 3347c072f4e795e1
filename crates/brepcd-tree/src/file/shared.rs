//! What several items share, and how they refer to it: vectors and splines that occur more than once are kept once.
//!
//! A vector is 0 and its three numbers, or 1 where it is the cross product of the two before it, or 2 + its position in
//! the list of shared vectors. Edges, planes, boxes and cones of one part have many directions and points in common.

use std::collections::HashMap;
use std::sync::Arc;

use brepcd_geom::Vec3;
use brepcd_geom::nurbs::{NurbsCurve, NurbsSurface};

use super::FileError;
use super::input::Input;
use super::output::Output;

/// Code of a vector that follows.
const LITERAL: u64 = 0;
/// Code of the cross product of the two vectors before.
const CROSS: u64 = 1;
/// Code of the first shared vector.
const FIRST_SHARED: u64 = 2;

type Bits = [u64; 3];

fn bits(v: &Vec3) -> Bits {
    [v.x, v.y, v.z].map(f64::to_bits)
}

/// What has been met so far while writing.
#[derive(Default)]
pub(super) struct Shared {
    /// How often each vector was written, and when first.
    uses: HashMap<Bits, (u64, usize)>,
    /// Positions of the shared vectors.
    places: HashMap<Bits, u64>,
    /// Bytes of the spline curves.
    pub curves: Pool,
    /// Bytes of the spline surfaces.
    pub surfaces: Pool,
}

/// Byte strings, each kept once, in the order of their first use.
#[derive(Default)]
pub(super) struct Pool {
    places: HashMap<Vec<u8>, u64>,
    /// All of them in a row.
    pub bytes: Vec<u8>,
}

impl Pool {
    /// The position of a byte string.
    pub fn place(&mut self, bytes: Vec<u8>) -> u64 {
        let next = self.places.len() as u64;
        if let Some(place) = self.places.get(&bytes) {
            return *place;
        }
        self.bytes.extend_from_slice(&bytes);
        self.places.insert(bytes, next);
        next
    }

    /// How many there are.
    pub fn len(&self) -> usize {
        self.places.len()
    }
}

impl Shared {
    /// What a second writing of the same part starts from, and the vectors it may refer to: those written more than
    /// once, the most frequent first.
    pub fn settled(self) -> (Self, Vec<Vec3>) {
        let mut often: Vec<(Bits, u64, usize)> = self
            .uses
            .into_iter()
            .filter(|(_, (count, _))| *count > 1)
            .map(|(bits, (count, first))| (bits, count, first))
            .collect();
        often.sort_unstable_by_key(|(_, count, first)| (std::cmp::Reverse(*count), *first));
        let vectors = often
            .iter()
            .map(|(bits, ..)| Vec3::from(bits.map(f64::from_bits)))
            .collect();
        let places = often.iter().zip(FIRST_SHARED..);
        let out = Self {
            places: places.map(|((bits, ..), code)| (*bits, code)).collect(),
            ..Self::default()
        };
        (out, vectors)
    }
}

impl Output {
    /// A vector.
    pub fn vector(&mut self, v: &Vec3) {
        let key = bits(v);
        let order = self.shared.uses.len();
        self.shared.uses.entry(key).or_insert((0, order)).0 += 1;
        match self.shared.places.get(&key) {
            Some(code) => self.whole(*code),
            None => {
                self.whole(LITERAL);
                self.numbers(v.iter());
            }
        }
    }

    /// Three vectors, of which the third mostly is the cross product of the others.
    pub fn axes(&mut self, axes: [&Vec3; 3]) {
        self.vector(axes[0]);
        self.vector(axes[1]);
        if bits(&axes[0].cross(axes[1])) == bits(axes[2]) {
            self.whole(CROSS);
        } else {
            self.vector(axes[2]);
        }
    }
}

/// What items refer to, as read.
#[derive(Default)]
pub(super) struct Pools {
    /// Vectors.
    pub vectors: Vec<Vec3>,
    /// Spline curves.
    pub curves: Vec<Arc<NurbsCurve>>,
    /// Spline surfaces.
    pub surfaces: Vec<Arc<NurbsSurface>>,
}

impl Input<'_> {
    /// A vector.
    #[inline]
    pub fn vector(&mut self, pools: &Pools) -> Result<Vec3, FileError> {
        let code = self.whole()?;
        self.vector_of(code, pools)
    }

    #[inline]
    fn vector_of(&mut self, code: u64, pools: &Pools) -> Result<Vec3, FileError> {
        if code == LITERAL {
            return Ok(Vec3::from(self.numbers::<3>()?));
        }
        let place = code.checked_sub(FIRST_SHARED);
        let shared = place.and_then(|p| pools.vectors.get(usize::try_from(p).ok()?));
        shared
            .copied()
            .ok_or_else(|| self.invalid(format!("there is no vector with code {code}")))
    }

    /// Three vectors that are right-handed and orthonormal.
    #[inline]
    pub fn axes(&mut self, pools: &Pools) -> Result<[Vec3; 3], FileError> {
        let (a, b) = (self.vector(pools)?, self.vector(pools)?);
        let cross = a.cross(&b);
        let c = match self.whole()? {
            CROSS => cross,
            code => self.vector_of(code, pools)?,
        };
        self.check(
            super::check::orthonormal(&a, &b, &c),
            "axes are not right-handed and orthonormal",
        )?;
        Ok([a, b, c])
    }

    /// A vector of unit length.
    #[inline]
    pub fn unit(&mut self, pools: &Pools) -> Result<Vec3, FileError> {
        let v = self.vector(pools)?;
        self.check(super::check::unit(&v), "a direction has not unit length")?;
        Ok(v)
    }
}
