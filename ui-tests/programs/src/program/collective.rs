//! Operations of all ranks from one buffer to another, and the lists that some of them have.

/// An operation of a communicator with two buffers.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Collective {
    AllReduce,
    AllGather,
    ReduceScatter,
    AllToAll,
    Reduce,
    /// A reduction with another operator.
    AllMax,
    AllGatherV(Lengths),
    ReduceScatterV(Lengths),
    AllToAllV(Lengths),
    AllToAllVC(Lengths),
}

impl Collective {
    /// The list of the operation, if it has one.
    pub(crate) fn lengths(mut self) -> Option<Lengths> {
        self.lengths_mut().copied()
    }

    pub(crate) fn lengths_mut(&mut self) -> Option<&mut Lengths> {
        match self {
            Collective::AllGatherV(lengths)
            | Collective::ReduceScatterV(lengths)
            | Collective::AllToAllV(lengths)
            | Collective::AllToAllVC(lengths) => Some(lengths),
            _ => None,
        }
    }
}

/// How a list divides the elements of a buffer among the ranks.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Lengths {
    Equal,
    /// The first rank has more than half of them.
    More,
    /// The first of several ranks has none, and the last one has those too.
    Gap,
    /// As `Equal`, of half as many elements as there are.
    Short,
}
