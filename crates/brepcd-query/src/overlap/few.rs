//! A short list of numbers on the stack.

/// Numbers held at most; what comes later is left out.
const CAPACITY: usize = 12;

/// A few numbers, without allocation.
#[derive(Clone, Copy, Debug)]
pub(super) struct Few {
    items: [f64; CAPACITY],
    len: usize,
}

impl Few {
    pub const EMPTY: Self = Self {
        items: [0.0; CAPACITY],
        len: 0,
    };

    pub fn push(&mut self, x: f64) {
        if let Some(place) = self.items.get_mut(self.len) {
            *place = x;
            self.len += 1;
        }
    }

    pub fn as_slice(&self) -> &[f64] {
        &self.items[..self.len]
    }
}
