//! The auto traits and sizes of handles of operators, the media engine and collective communication.

use static_assertions::{assert_eq_size, assert_impl_all, assert_not_impl_any};

use super::D;
use crate::collective::{Batch, Comm, DetachedComm, Rank, Ranks, RootInfo, World};
use crate::media::{
    Channel, EncodedJpeg, Histogram, JpegDecoder, Nv12, Picture, Processing, Processor, Receiving,
    Status, Unchecked, V1, V2,
};
use crate::memory::{Dev, DeviceBuf, Dvpp, DvppV2, Uninit};
use crate::op::operators::Mul;
use crate::op::{Counted, Plan, Tensor, TensorOut, Workspace, Workspaces};
use crate::queue::{Queued, Session};
use crate::stream::Main;

type Output = DeviceBuf<'static, D, [f32; 4], Uninit>;

assert_impl_all!(Counted<'static, Dev<D>, [f32]>: Send);
assert_impl_all!(Workspace<'static, D, Main>: Send);
assert_impl_all!(V1<'static>: Send, Sync);
assert_impl_all!(V2<'static, 'static, D>: Send, Sync);
assert_impl_all!(Picture<'static, Dvpp<D>, Nv12, Unchecked>: Send, Sync);
assert_impl_all!(Picture<'static, DvppV2<D>, Nv12>: Send, Sync);
assert_impl_all!(Queued<'static, (D, Main), Picture<'static, Dvpp<D>, Nv12, Unchecked>>: Send);
assert_impl_all!(Status: Send, Sync);
assert_impl_all!(EncodedJpeg<'static, D>: Send, Sync);
assert_impl_all!(Histogram: Send, Sync);
// A channel stays on the thread that is bound to its context.
assert_not_impl_any!(Channel<'static, 'static, D>: Send, Sync);
assert_not_impl_any!(Session<'static, 'static, D, Main, Channel<'static, 'static, D>>: Send, Sync);
assert_not_impl_any!(Queued<'static, (D, Main), Channel<'static, 'static, D>>: Send, Sync);
assert_not_impl_any!(Processor<'static, 'static, D>: Send, Sync);
assert_not_impl_any!(JpegDecoder<'static, 'static, D, Nv12, Receiving>: Send, Sync);
assert_not_impl_any!(Processing<'static, Picture<'static, DvppV2<D>, Nv12>, Picture<'static, DvppV2<D>, Nv12, Uninit>>: Send, Sync);
// A communicator stays on the thread that has its device. What finds it, and what names its ranks, goes to the others.
assert_not_impl_any!(Comm<'static, 'static, D>: Send, Sync);
assert_not_impl_any!(Session<'static, 'static, D, Main, Comm<'static, 'static, D>>: Send, Sync);
assert_not_impl_any!(Queued<'static, (D, Main), Comm<'static, 'static, D>>: Send, Sync);
assert_not_impl_any!(Batch<'static, (D, Main), World>: Send, Sync);
assert_impl_all!(DetachedComm<'static, World>: Send);
assert_impl_all!(RootInfo: Send, Sync, Clone);
assert_impl_all!(Rank<World>: Send, Sync, Copy);
assert_impl_all!(Ranks<World>: Send, Sync, Copy);
assert_not_impl_any!(Plan<'static, 'static, D, Mul<f32>, Output>: Send, Sync, Clone);
assert_impl_all!(Workspaces<'static, D>: Send);
assert_not_impl_any!(Tensor<'static, D, f32>: Send, Sync);
assert_eq_size!(Workspace<'static, D, Main>, [usize; 2]);
assert_eq_size!(TensorOut<Output>, (Tensor<'static, D, f32>,));
