//! Checks of the auto traits and sizes of handles: which handles may cross threads, and how large they are. A change
//! here changes the code that users can write. Every build checks them, with all features and without; those of the areas
//! that a program can leave out are in `areas.rs` and `graphs.rs`.

#[cfg(all(
    feature = "operators",
    feature = "models",
    feature = "media",
    feature = "collectives"
))]
mod areas;
#[cfg(feature = "graphs")]
mod graphs;

use std::cell::Cell;

use static_assertions::{assert_eq_size, assert_impl_all, assert_not_impl_any};

use crate::callback::{ExceptionInfo, ReportThread, ReportThreadId, Subscribed};
use crate::context::{Context, Current, Thread};
use crate::device::{Brand, Ctx, Device, Npu, Stopping};
#[cfg(feature = "dlpack")]
use crate::dlpack::ManagedTensor;
use crate::error::{Error, Result};
use crate::event::{
    CntNotify, Done, Event, Fence, Notify, Order, OrderTiming, Recorded, Signal, Value,
};
use crate::memory::fixed::{Fixed, FixedRows, Room};
use crate::memory::{
    Block, Buf, CachedBuf, Dev, DvppV2Buf, Host, MallocConfig, Mapped, Pages, Peer, Piece, Pool,
    Pooled, Reserved, ReservedBuf, Rows, Slice, SliceMut, Tail, Writer,
};
use crate::memory::{DeviceBuf, DvppBuf, HostBuf, LocalBuf};
use crate::peer::{Mutual, Outbound, PeerAccess, PeerRoute, PeerView};
use crate::pipeline::Pipeline;
use crate::queue::Queued;
use crate::queue::{After, Shared, Unverified};
use crate::runtime::{Acl, DeviceSide, HostSide, RunMode};
use crate::scope::{Lease, Registered, Scope};
use crate::settings::{LogicDevId, PhyDevId};
use crate::share::{
    EventKey, Exported, Imported, Importers, MemoryKey, NotifyKey, SharedBuf, SharedEvent,
    SharedNotify,
};
use crate::stream::{DefaultStream, Drained, Idle, Main, Numbered, Priority, StreamBrand};
use crate::stream::{ParkedStream, Stream, StreamConfig};
use crate::worker::{Answer, Client, Failed, NotSent, Requests, Worker, WorkerOptions};

type D = Npu<0>;

// Types that the C API allows on any thread.
assert_impl_all!(Acl: Send, Sync);
assert_impl_all!(Device<'static, D>: Send, Sync);
assert_impl_all!(DeviceBuf<'static, D, [f32]>: Send, Sync);
assert_impl_all!(DvppBuf<'static, D, [f32]>: Send, Sync);
assert_impl_all!(HostBuf<'static, [f32]>: Send, Sync);
assert_impl_all!(ParkedStream<'static, D, Main>: Send);
assert_impl_all!(Queued<'static, (D, Main), DeviceBuf<'static, D, [f32]>>: Send);
assert_impl_all!(Queued<'static, (D, Main), DeviceBuf<'static, D, [f32]>, After<Main>>: Send);
assert_impl_all!(Event<'static, D, Order>: Send);
assert_impl_all!(Fence<'static, (D, Main), HostBuf<'static, [f32]>, Event<'static, D, Order>>: Send);
assert_impl_all!(HostSide<'static>: Send, Sync, Copy);
assert_impl_all!(DeviceSide<'static>: Send, Sync, Copy);
assert_impl_all!(RunMode<'static>: Send, Sync, Copy);
assert_impl_all!(Error: Send, Sync, Clone);
assert_impl_all!(Device<'static, Brand<'static>>: Send, Sync);
assert_impl_all!(ParkedStream<'static, D>: Send, Sync);
assert_impl_all!(Queued<'static, (D, Numbered), DeviceBuf<'static, D, [f32]>>: Send, Sync);
assert_impl_all!(Device<'static, Stopping<D>>: Send, Sync);
assert_impl_all!(Context<'static, Ctx<D, 1>>: Send, Sync);
assert_impl_all!(DvppV2Buf<'static, D, [f32]>: Send, Sync);
assert_impl_all!(CachedBuf<'static, D, [f32]>: Send, Sync);
assert_impl_all!(LocalBuf<'static, [f32]>: Send, Sync);
assert_impl_all!(Block<'static, Dev<D>>: Send, Sync);
assert_impl_all!(ReservedBuf<'static, D, f32>: Send, Sync);
assert_impl_all!(Tail<'static, D, f32, (D, Main)>: Send, Sync);
assert_impl_all!(Buf<'static, Piece<Dev<D>>, [f32]>: Send, Sync);
assert_impl_all!(Pool<'static, D>: Send, Sync);
assert_impl_all!(Buf<'static, Pooled<D>, [f32]>: Send, Sync);
assert_impl_all!(Buf<'static, Peer<D, Npu<1>, Outbound>, [f32]>: Send, Sync);
assert_impl_all!(PeerAccess<'static, 'static, D, Npu<1>>: Send, Sync);
assert_impl_all!(PeerRoute<'static, 'static, D, Npu<1>>: Send, Sync);
assert_impl_all!(PeerView<'static, 'static, D, Npu<1>, Mutual>: Send, Sync, Copy);
assert_impl_all!(Shared<D, DeviceBuf<'static, D, [f32]>>: Send, Sync, Clone);
assert_impl_all!(Queued<'static, (D, Main), Shared<D, HostBuf<'static, [f32]>>>: Send, Clone);
assert_impl_all!(Unverified<'static, (D, Main), HostBuf<'static, [f32]>>: Send, Sync);
assert_impl_all!(Lease<'static, D, &'static [f32]>: Send, Sync);
assert_impl_all!(Scope<'static, 'static, D>: Send, Sync);
assert_impl_all!(Lease<'static, D, Registered<Mapped<D>, &'static mut [f32]>>: Send, Sync);
assert_impl_all!(Pages<f32>: Send, Sync);
assert_impl_all!(SharedBuf<'static, Exported<D>, f32>: Send, Sync);
assert_impl_all!(SharedBuf<'static, Exported<Reserved<D>>, f32>: Send, Sync);
assert_impl_all!(SharedBuf<'static, Imported<D>, f32>: Send, Sync);
assert_impl_all!(Queued<'static, (D, Main), SharedBuf<'static, Imported<D>, f32>>: Send);
assert_impl_all!(SharedNotify<'static, Exported<D>>: Send, Sync);
assert_impl_all!(SharedEvent<'static, Exported<D>>: Send, Sync);
assert_impl_all!(EventKey: Send, Sync, Copy);
assert_impl_all!(MemoryKey: Send, Sync, Copy);
assert_impl_all!(NotifyKey: Send, Sync, Copy);
assert_impl_all!(Importers<'static>: Send, Sync, Copy);
assert_impl_all!(Idle<'static, (D, Main)>: Send, Sync);
assert_impl_all!(ReportThreadId<D>: Send, Sync, Clone);
assert_impl_all!(Subscribed<(D, Main)>: Send, Sync);
assert_not_impl_any!(Subscribed<(D, Main)>: Clone);
assert_not_impl_any!(ReportThread<'static, 'static, D>: Send, Sync, Clone);
assert_not_impl_any!(ExceptionInfo<'static>: Send, Sync, Clone);
assert_impl_all!(LogicDevId: Send, Sync, Copy);
assert_impl_all!(PhyDevId: Send, Sync, Copy);
assert_impl_all!(Recorded<'static, (D, Main), Order>: Send, Sync, Copy);
assert_impl_all!(Notify<'static, D, Main>: Send, Sync);
assert_not_impl_any!(Notify<'static, D, Main>: Clone);
assert_impl_all!(Signal<'static, (D, Main), Main, HostBuf<'static, [f32]>>: Send, Sync);
assert_not_impl_any!(Signal<'static, (D, Main), Main, HostBuf<'static, [f32]>>: Clone);
assert_impl_all!(Value<'static, D>: Send, Sync);
assert_impl_all!(CntNotify<'static, D>: Send, Sync);
// A binary and its functions stay on the thread that has loaded it, so that no launch comes behind the unload.
#[cfg(feature = "kernels")]
assert_not_impl_any!(crate::kernel::Binary<'static, 'static, D>: Send, Sync);
#[cfg(feature = "kernels")]
assert_not_impl_any!(crate::kernel::Function<'static, D, ()>: Send, Sync);
#[cfg(feature = "kernels")]
assert_eq_size!(crate::kernel::Function<'static, D, ()>, usize);
#[cfg(feature = "async")]
assert_not_impl_any!(crate::stream::Synchronized<'static, 'static, 'static, D, Main>: Send, Sync);
#[cfg(feature = "async")]
assert_impl_all!(crate::stream::Completed<'static, (D, Main), HostBuf<'static, [f32]>>: Send, Unpin);
assert_not_impl_any!(Pipeline<'static, 'static, 'static, D, f32, f32>: Send, Sync);
assert_impl_all!(StreamConfig: Send, Sync, Copy);
assert_impl_all!(Priority: Send, Sync, Copy);

// Requests and answers move between threads, and need not be shared.
assert_impl_all!(Worker<Cell<u8>, Cell<u8>>: Send, Sync);
assert_impl_all!(Client<Cell<u8>, Cell<u8>>: Send, Sync, Clone);
assert_impl_all!(Answer<Cell<u8>>: Send, Sync, Unpin);
assert_impl_all!(NotSent<Cell<u8>>: Send);
assert_impl_all!(Failed: Send, Sync, Clone);
assert_impl_all!(WorkerOptions: Send, Sync, Copy);
assert_not_impl_any!(Worker<u8, u8>: Clone);
assert_not_impl_any!(Answer<u8>: Clone);
assert_not_impl_any!(Client<*const u8, u8>: Send, Sync);
assert_not_impl_any!(Client<u8, *const u8>: Send, Sync);
assert_not_impl_any!(Requests<'static, u8, u8>: Send, Sync, Clone);

/// Compares the auto traits of a part of a buffer, and of rows of it, with those of the borrow that the part
/// replaces, idle or queued. The elements may cross threads (`f32`), may only be moved to other threads (`Cell`), or
/// neither (an address).
macro_rules! as_borrows {
    ($shared:ident, $exclusive:ident, $buffer:ident) => {
        assert_impl_all!($shared<f32>: Send, Sync);
        assert_impl_all!(&'static $buffer<f32>: Send, Sync);
        assert_impl_all!($exclusive<f32>: Send, Sync);
        assert_impl_all!(&'static mut $buffer<f32>: Send, Sync);
        assert_impl_all!(Rows<$shared<f32>>: Send, Sync);
        assert_impl_all!(Rows<$exclusive<f32>>: Send, Sync);
        assert_not_impl_any!($shared<Cell<f32>>: Send, Sync);
        assert_not_impl_any!(&'static $buffer<Cell<f32>>: Send, Sync);
        assert_impl_all!($exclusive<Cell<f32>>: Send);
        assert_impl_all!(&'static mut $buffer<Cell<f32>>: Send);
        assert_not_impl_any!($exclusive<Cell<f32>>: Sync);
        assert_not_impl_any!(&'static mut $buffer<Cell<f32>>: Sync);
        assert_not_impl_any!($shared<*const f32>: Send, Sync);
        assert_not_impl_any!(&'static $buffer<*const f32>: Send, Sync);
        assert_not_impl_any!($exclusive<*const f32>: Send, Sync);
        assert_not_impl_any!(&'static mut $buffer<*const f32>: Send, Sync);
    };
}

type IdleBuf<T> = DeviceBuf<'static, D, [T]>;
type IdleSlice<T> = Slice<'static, Dev<D>, [T]>;
type IdleSliceMut<T> = SliceMut<'static, Dev<D>, [T]>;
type IdleHalf<T> = SliceMut<'static, Dev<D>, Fixed<T, typenum::U4>>;
type QueuedBuf<T> = Queued<'static, (D, Main), DeviceBuf<'static, D, [T]>>;
type QueuedSlice<T> = Slice<'static, Dev<D>, [T], (D, Main)>;
type QueuedSliceMut<T> = SliceMut<'static, Dev<D>, [T], (D, Main)>;
type QueuedHalf<T> = SliceMut<'static, Dev<D>, Fixed<T, typenum::U4>, (D, Main)>;

as_borrows!(IdleSlice, IdleSliceMut, IdleBuf);
as_borrows!(IdleSlice, IdleHalf, IdleBuf);
as_borrows!(QueuedSlice, QueuedSliceMut, QueuedBuf);
as_borrows!(QueuedSlice, QueuedHalf, QueuedBuf);

// Types that belong to the current context of a thread.
assert_not_impl_any!(Thread: Send, Sync, Clone);
assert_not_impl_any!(Current<'static, 'static, D>: Send, Sync);
assert_not_impl_any!(Stream<'static, 'static, D, Main>: Send, Sync, Clone);
assert_not_impl_any!(DefaultStream<'static, 'static, D>: Send, Sync, Clone);

assert_not_impl_any!(Current<'static, 'static, Ctx<D, 1>>: Send, Sync);
assert_not_impl_any!(SliceMut<'static, Dev<D>, [f32]>: Clone);
assert_not_impl_any!(SliceMut<'static, Dev<D>, [f32], (D, Main)>: Clone);
assert_not_impl_any!(Room<'static, Dev<D>, typenum::U64>: Send, Sync, Clone);
assert_not_impl_any!(ParkedStream<'static, D, Main>: Clone);
assert_not_impl_any!(ParkedStream<'static, D>: Clone);
assert_not_impl_any!(Stream<'static, 'static, D, StreamBrand<'static>>: Send, Sync, Clone);

// Types that own a resource are not `Copy`.
assert_not_impl_any!(Context<'static, Ctx<D, 1>>: Clone);
assert_not_impl_any!(PeerAccess<'static, 'static, D, Npu<1>>: Clone);
assert_not_impl_any!(Block<'static, Dev<D>>: Clone);
assert_not_impl_any!(ReservedBuf<'static, D, f32>: Clone);
assert_not_impl_any!(Tail<'static, D, f32>: Clone);
assert_not_impl_any!(Pool<'static, D>: Clone);
// The deleter of another library may need its thread.
#[cfg(feature = "dlpack")]
assert_not_impl_any!(ManagedTensor<'static>: Send, Sync, Clone);
assert_not_impl_any!(Event<'static, D, Order>: Clone);
assert_not_impl_any!(Fence<'static, (D, Main), HostBuf<'static, [f32]>, Event<'static, D, Order>>: Clone);
assert_not_impl_any!(Queued<'static, (D, Main), HostBuf<'static, [f32]>>: Clone);
assert_not_impl_any!(Unverified<'static, (D, Main), HostBuf<'static, [f32]>>: Clone);
assert_not_impl_any!(Done<'static, (D, Main), OrderTiming>: Clone);
assert_not_impl_any!(Lease<'static, D, &'static [f32]>: Clone);
assert_not_impl_any!(Writer<'static, Dev<D>, [f32]>: Clone);
assert_not_impl_any!(Acl: Clone);
assert_not_impl_any!(Device<'static, D>: Clone);
assert_not_impl_any!(DeviceBuf<'static, D, [f32]>: Clone);
assert_not_impl_any!(SharedBuf<'static, Exported<D>, f32>: Clone);
assert_not_impl_any!(SharedNotify<'static, Imported<D>>: Clone);
assert_not_impl_any!(SharedEvent<'static, Imported<D>>: Clone);

assert_eq_size!(Stream<'static, 'static, D, Main>, usize);
assert_eq_size!(Option<Stream<'static, 'static, D, Main>>, usize);
assert_eq_size!(
    Stream<'static, 'static, D, StreamBrand<'static>>,
    (usize, u64)
);
assert_eq_size!(ParkedStream<'static, D, Main>, [usize; 2]);
assert_eq_size!(ParkedStream<'static, D>, (usize, usize, u64));
assert_eq_size!(
    Queued<'static, (D, Numbered), DeviceBuf<'static, D, [f32; 4]>>,
    (usize, u64)
);
assert_eq_size!(Current<'static, 'static, D>, usize);
assert_eq_size!(DeviceBuf<'static, D, [f32; 1000]>, usize);
assert_eq_size!(DeviceBuf<'static, D, Fixed<f32, typenum::U1000>>, usize);
assert_eq_size!(DeviceBuf<'static, D, [f32]>, [usize; 2]);
assert_eq_size!(Event<'static, D, Order>, usize);
assert_eq_size!(
    Queued<'static, (D, Main), DeviceBuf<'static, D, [f32; 4]>>,
    usize
);
assert_eq_size!(
    Option<Queued<'static, (D, Main), DeviceBuf<'static, D, [f32; 4]>>>,
    usize
);
assert_eq_size!(
    Queued<'static, (D, Main), DeviceBuf<'static, D, [f32; 4]>, After<Main, After<Main>>>,
    usize
);
assert_eq_size!(Error, usize);
assert_eq_size!(Result<Idle<'static, (D, Main)>>, usize);
assert_eq_size!(Idle<'static, (D, Main)>, ());
assert_eq_size!(Thread, ());
assert_eq_size!(HostSide<'static>, ());
assert_eq_size!(Stream<'static, 'static, Stopping<D>, Main>, usize);
assert_eq_size!(Current<'static, 'static, Ctx<D, 1>>, usize);
assert_eq_size!(Drained<'static, (D, Main)>, ());
assert_eq_size!(DeviceSide<'static>, ());
assert_eq_size!(Recorded<'static, (D, Main), Order>, usize);
assert_eq_size!(Option<Recorded<'static, (D, Main), Order>>, usize);
assert_eq_size!(Done<'static, (D, Main), OrderTiming>, usize);
assert_eq_size!(
    Fence<'static, (D, Main), DeviceBuf<'static, D, [f32; 4]>, Event<'static, D, Order>>,
    [usize; 2]
);
assert_eq_size!(
    Unverified<'static, (D, Main), DeviceBuf<'static, D, [f32; 4]>>,
    usize
);
assert_eq_size!(LocalBuf<'static, [f32]>, [usize; 2]);
assert_eq_size!(DvppV2Buf<'static, D, [f32; 4]>, usize);
assert_eq_size!(Buf<'static, Piece<Dev<D>>, [f32; 4]>, usize);
assert_eq_size!(Buf<'static, Peer<D, Npu<1>, Outbound>, [f32; 4]>, usize);
assert_eq_size!(Slice<'static, Dev<D>, [f32]>, [usize; 2]);
assert_eq_size!(SliceMut<'static, Dev<D>, Fixed<f32, typenum::U4>>, usize);
assert_eq_size!(Slice<'static, Dev<D>, [f32], (D, Main)>, [usize; 2]);
assert_eq_size!(
    SliceMut<'static, Dev<D>, Fixed<f32, typenum::U4>, (D, Main)>,
    usize
);
assert_eq_size!(Lease<'static, D, &'static [f32]>, [usize; 3]);
assert_eq_size!(Scope<'static, 'static, D>, usize);
assert_eq_size!(
    Lease<'static, D, Registered<Host, &'static [f32]>>,
    [usize; 4]
);
assert_eq_size!(PeerView<'static, 'static, D, Npu<1>, Mutual>, ());
assert_eq_size!(PeerAccess<'static, 'static, D, Npu<1>>, [usize; 2]);
assert_eq_size!(Shared<D, DeviceBuf<'static, D, [f32]>>, usize);
assert_eq_size!(Block<'static, Dev<D>>, [usize; 3]);
assert_eq_size!(ReservedBuf<'static, D, f32>, [usize; 2]);
assert_eq_size!(Pool<'static, D>, usize);
assert_eq_size!(Room<'static, Dev<D>, typenum::U64>, usize);
assert_eq_size!(
    Rows<&'static HostBuf<'static, [f32]>, FixedRows<typenum::U4, typenum::U4>>,
    [usize; 2]
);
assert_eq_size!(MallocConfig<D>, [u16; 3]);
