//! Holds nothing; the benches are in `benches/benches`.
