//! The auto traits and sizes of graphs.

use std::cell::Cell;

use static_assertions::{assert_eq_size, assert_impl_all, assert_not_impl_any};

use super::D;
use crate::graph::{Graph, NotCaptured, Recording};
use crate::memory::DeviceBuf;
use crate::queue::Queued;
use crate::stream::{GraphBrand, Main};

type Memory = DeviceBuf<'static, D, [f32]>;
type Q = (D, Main);

// Any thread may have a graph, and destroy it, if it may have the memory and what the closure has returned.
assert_impl_all!(Graph<'static, D, Memory>: Send, Sync);
assert_impl_all!(Queued<'static, Q, Graph<'static, D, Memory>>: Send, Sync);
assert_impl_all!(NotCaptured<'static, Q, Memory>: Send, Sync, std::error::Error);
assert_impl_all!(Graph<'static, D, Memory, Cell<u8>>: Send);
assert_not_impl_any!(Graph<'static, D, Memory, Cell<u8>>: Sync);
assert_not_impl_any!(Graph<'static, D, Memory, *const u8>: Send, Sync);
assert_not_impl_any!(Graph<'static, D, Memory>: Clone);
// A recording stays on the thread of its capture.
assert_not_impl_any!(Recording<'static, 'static, 'static, D>: Send, Sync, Clone);
assert_not_impl_any!(GraphBrand<'static>: Clone, Default);
assert_eq_size!(Option<Graph<'static, D, Memory>>, Graph<'static, D, Memory>);
assert_eq_size!(
    Queued<'static, Q, Graph<'static, D, Memory>>,
    Graph<'static, D, Memory>
);

#[cfg(feature = "operators")]
mod updates {
    use super::{D, assert_eq_size, assert_impl_all, assert_not_impl_any};
    use crate::graph::{Changed, Group, Update};
    use crate::op::operators::Mul;

    assert_impl_all!(Group<Mul<f32>>: Send, Sync, Clone);
    assert_not_impl_any!(Update<'static, 'static, D, Mul<f32>>: Send, Sync, Clone);
    assert_not_impl_any!(Changed<'static>: Clone, Default);
    assert_eq_size!(Group<Mul<f32>>, usize);
    assert_eq_size!(Changed<'static>, ());
}

#[cfg(feature = "collectives")]
mod comms {
    use super::{D, Graph, Q, assert_eq_size, assert_not_impl_any};
    use crate::collective::Comm;
    use crate::graph::GraphComm;

    type OwnComm = Comm<'static, 'static, D>;

    // A communicator stays on the thread that has its device, and so does a graph with one.
    assert_not_impl_any!(Graph<'static, D, OwnComm>: Send, Sync);
    assert_not_impl_any!(GraphComm<'static, Q, OwnComm>: Send, Sync, Clone);
    assert_eq_size!(GraphComm<'static, Q, OwnComm>, usize);
}
