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
    /// A vertex of a `Brep`.
    VertexId,
    /// An edge of a `Brep`.
    EdgeId,
    /// A loop of a face, counted within the face.
    LoopId,
    /// A face of a `Brep`.
    FaceId,
    /// A shell of a `Brep`.
    ShellId,
    /// A solid of a `Brep`.
    SolidId,
}
