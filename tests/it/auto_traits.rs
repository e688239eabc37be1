//! Which handles cross threads, and how big they are. A change here changes what users can write.

use ascendcl::event::{Fence, Order};
use ascendcl::memory::{Arr, Fixed, Uninit};
use ascendcl::op::{Plan, Tensor};
use ascendcl::stream::{DefaultStream, Idle, Main};
use ascendcl::{
    Acl, Current, Device, DeviceBuf, DvppBuf, Error, Event, HostBuf, HostSide, Npu, ParkedStream,
    Queued, Stream, Thread,
};
use static_assertions::{assert_eq_size, assert_impl_all, assert_not_impl_any};

type D = Npu<0>;
type Output = DeviceBuf<'static, D, f32, Arr<4>, Uninit>;

// What the C API allows on any thread.
assert_impl_all!(Acl: Send, Sync);
assert_impl_all!(Device<'static, D>: Send, Sync);
assert_impl_all!(DeviceBuf<'static, D, f32>: Send, Sync);
assert_impl_all!(DvppBuf<'static, D, f32>: Send, Sync);
assert_impl_all!(HostBuf<'static, f32>: Send, Sync);
assert_impl_all!(ParkedStream<'static, D, Main>: Send);
assert_impl_all!(Queued<'static, (D, Main), DeviceBuf<'static, D, f32>>: Send);
assert_impl_all!(Event<'static, D, Order>: Send);
assert_impl_all!(Fence<'static, (D, Main), HostBuf<'static, f32>, Event<'static, D, Order>>: Send);
assert_impl_all!(HostSide<'static>: Send, Sync, Copy);
assert_impl_all!(Error: Send, Sync);

// What belongs to a thread's current context.
assert_not_impl_any!(Thread: Send, Sync, Clone);
assert_not_impl_any!(Current<'static, 'static, D>: Send, Sync);
assert_not_impl_any!(Stream<'static, 'static, D, Main>: Send, Sync, Clone);
assert_not_impl_any!(DefaultStream<'static, 'static, D>: Send, Sync, Clone);
assert_not_impl_any!(Plan<'static, 'static, D, f32, Output>: Send, Sync, Clone);
assert_not_impl_any!(Tensor<'static, D, f32>: Send, Sync);

// What owns something is not copied.
assert_not_impl_any!(Acl: Clone);
assert_not_impl_any!(Device<'static, D>: Clone);
assert_not_impl_any!(DeviceBuf<'static, D, f32>: Clone);

assert_eq_size!(Stream<'static, 'static, D, Main>, usize);
assert_eq_size!(Option<Stream<'static, 'static, D, Main>>, usize);
assert_eq_size!(Current<'static, 'static, D>, usize);
assert_eq_size!(DeviceBuf<'static, D, f32, Arr<1000>>, usize);
assert_eq_size!(DeviceBuf<'static, D, f32, Fixed<typenum::U1000>>, usize);
assert_eq_size!(DeviceBuf<'static, D, f32>, [usize; 2]);
assert_eq_size!(Event<'static, D, Order>, usize);
assert_eq_size!(
    Queued<'static, (D, Main), DeviceBuf<'static, D, f32, Arr<4>>>,
    usize
);
assert_eq_size!(
    Option<Queued<'static, (D, Main), DeviceBuf<'static, D, f32, Arr<4>>>>,
    usize
);
assert_eq_size!(Idle<'static, (D, Main)>, ());
assert_eq_size!(Thread, ());
assert_eq_size!(HostSide<'static>, ());
