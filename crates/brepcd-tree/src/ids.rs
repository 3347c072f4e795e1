macro_rules! ids {
    ($($(#[$doc:meta])* $name:ident),+ $(,)?) => {$(
        $(#[$doc])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
        pub struct $name(pub u32);

        impl $name {
            /// Position in the owning list.
            pub fn index(self) -> usize {
                self.0 as usize
            }

            /// The id of a position in the owning list.
            pub fn at(index: usize) -> Self {
                Self(u32::try_from(index).expect("more than u32::MAX items"))
            }
        }
    )+};
}

ids! {
    /// A feature of a tree part.
    FeatureId,
    /// A patch of a tree part.
    PatchId,
    /// A node of a tree part.
    NodeId,
    /// A trimming curve of a tree part.
    TrimId,
}

/// A run of items in one of the flat lists of a tree part.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub struct Run {
    /// First item.
    pub start: u32,
    /// One past the last item.
    pub end: u32,
}

impl Run {
    /// The items as a range of positions.
    pub fn range(self) -> std::ops::Range<usize> {
        self.start as usize..self.end as usize
    }

    /// How many items there are.
    pub fn len(self) -> usize {
        self.range().len()
    }

    /// True if there are none.
    pub fn is_empty(self) -> bool {
        self.range().is_empty()
    }
}
