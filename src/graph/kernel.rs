//! Kernels in graphs.

use std::sync::Arc;

use crate::device::AnyDevice;
use crate::graph::fork::parts::Lends;
use crate::graph::memory::kept::Kept;
use crate::kernel::Function;
use crate::park::{Parking, StreamKey, User};

// The graph borrows the binary as the function does, so the binary stays loaded as long as the graph runs.
impl<D: AnyDevice, K: 'static> Kept<D> for Function<'_, D, K> {
    type At<'a, Q> = Function<'a, D, K>;

    unsafe fn at<'a, Q>(this: *mut Self) -> Function<'a, D, K> {
        // SAFETY: a live function (the caller's contract).
        let function = unsafe { *this };
        // SAFETY: the graph borrows the binary, and the caller's contract ends `'a` with the graph.
        unsafe { function.lent() }
    }

    unsafe fn park(self, _: &Arc<Parking>, _: &[User]) {}

    fn enters(&self, _: StreamKey) {}

    fn accepted(&self) {}
}

impl<'g, D: AnyDevice, K> Lends<'g> for Function<'g, D, K> {
    type Part<'s> = Function<'s, D, K>;

    unsafe fn part<'s>(self) -> Function<'s, D, K> {
        // SAFETY: the caller's contract.
        unsafe { self.lent() }
    }
}
