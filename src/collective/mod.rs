//! Communication between the devices of a program, and of programs on several machines: HCCL (`hccl/hccl.h`).
//!
//! A communicator has ranks, numbered from 0. Each rank is one device, on a thread or in a process of its own. The ranks make
//! the same calls in the same order, and each call of a rank queues its part on a stream.
//!
//! 1. The ranks join. One rank makes a [`RootInfo`] by [`Current::root_info`](crate::Current::root_info), sends it to all, and
//!    each calls [`Current::comm_init_root_info`](crate::Current::comm_init_root_info). A process with all devices calls
//!    [`Current::comm_init_all`](crate::Current::comm_init_all) instead. A cluster with a rank table calls
//!    [`Current::comm_init_cluster_info`](crate::Current::comm_init_cluster_info).
//! 2. `stream.adopt(comm)` queues the [`Comm`] on a stream. Then `stream.with(&comm)` has the collectives. Their operands are
//!    memory that is queued on the same stream: [`all_reduce`](crate::queue::Session::all_reduce), [`all_gather`](crate::queue::Session::all_gather),
//!    [`reduce_scatter`](crate::queue::Session::reduce_scatter), [`broadcast`](crate::queue::Session::broadcast),
//!    [`exchange`](crate::queue::Session::exchange) and others. Parts whose lengths differ by rank have a list of [`RankCounts`]:
//!    [`all_gather_v`](crate::queue::Session::all_gather_v), [`all_to_all_v`](crate::queue::Session::all_to_all_v) and others.
//! 3. The wait for the stream asks the communicator for its error. So
//!    [`Stream::synchronize`](crate::Stream::synchronize) proves that the operations have succeeded, on the ranks that HCCL
//!    knows of. It returns the memory and the communicator, and [`Comm::destroy`] ends the latter.
//!
//! ```
//! # #[cfg(feature = "emulator")]
//! # fn main() -> ascendcl::Result<()> {
//! use std::thread;
//!
//! use ascendcl::collective::{RootInfo, Sum, World};
//! use ascendcl::stream::Main;
//! use ascendcl::{Acl, Npu, Result};
//!
//! /// Adds the numbers of two ranks, as the rank `N` on device `N`.
//! fn rank<const N: usize>(acl: &Acl, root: &RootInfo, numbers: [f32; 2]) -> Result<()> {
//!     let host = acl.host()?;
//!     acl.on::<Npu<N>, _>(N as u32, |current| {
//!         let comm = current.comm_init_root_info::<World>(root, N as u32)?;
//!         let mut stream = current.create_stream::<Main>()?;
//!         let comm = stream.adopt(comm);
//!         let own = stream.malloc_host_from(host, &numbers)?;
//!         let own = stream.memcpy_async(stream.malloc(2)?, &own)?;
//!         let sums = stream.with(&comm).all_reduce(Sum, &own, stream.malloc(2)?)?;
//!         let back = stream.memcpy_async(stream.malloc_host(host, 2)?, &sums)?;
//!         let idle = stream.synchronize()?;
//!         assert_eq!(idle.take(back)[..], [4.0, 6.0]);
//!         idle.take(comm).destroy()
//!     })
//! }
//!
//! let acl = Acl::from_env()?;
//! // Any rank can be the root. A program of several processes sends `root.to_bytes()` to them.
//! let root = acl.on::<Npu<0>, _>(0, |current| current.root_info(2))?;
//! thread::scope(|threads| {
//!     let first = threads.spawn(|| rank::<0>(&acl, &root, [1.0, 2.0]));
//!     let second = threads.spawn(|| rank::<1>(&acl, &root, [3.0, 4.0]));
//!     first.join().unwrap_or(Ok(())).and(second.join().unwrap_or(Ok(())))
//! })
//! # }
//! # #[cfg(not(feature = "emulator"))]
//! # fn main() {}
//! ```
//!
//! # What the types prove
//!
//! | mistake | here |
//! |---|---|
//! | use of a destroyed communicator, or a second destruction | [`Comm::destroy`] consumes it |
//! | destruction while operations run | a queued communicator comes back from a wait only |
//! | memory that is freed, read or written while an operation uses it | operands are [`Queued`](crate::Queued) on the stream |
//! | host memory, media memory, or memory of another device or stream | [`CommPlace`](crate::bounds::CommPlace), the queue in the type |
//! | one buffer for both directions | `send` is borrowed and `recv` is borrowed exclusively; [`all_reduce_in_place`](crate::queue::Session::all_reduce_in_place) takes one |
//! | a root or a peer that does not exist, or is of another communicator | [`Rank`] carries the name of its communicator |
//! | an element type or a reduction that no product has | [`Reduces`](crate::bounds::Reduces) |
//! | two host calls of a device at once | a [`Comm`] stays on one thread, and so do all of a device |
//! | the default stream, which HCCL refuses | [`CommStream`](crate::bounds::CommStream) |
//! | options without their head | [`CommOptions`] |
//! | lists of lengths that are too short, have gaps, or are of another communicator | [`RankCounts`], [`CountMatrix`] |
//!
//! These are errors before the call: a length that does not follow from the number of ranks or from the list, no elements
//! (the other ranks would wait for ever), the own rank as the other side of a message, and a product that lacks the
//! operation.
//!
//! # What they cannot prove
//!
//! The ranks are threads or processes, and no type sees all of them. Ranks that make different calls, or the same calls in
//! another order, wait for each other until the time limit of HCCL (`HCCL_EXEC_TIMEOUT`, 1836 seconds if it is not set). Then
//! the wait for the stream returns an error that names the rank and the communicator. The checker of the emulator reports the
//! difference itself.
//!
//! A rank whose earlier work has failed takes part with the numbers that are there. Its own wait returns the error, and the waits of
//! the other ranks succeed: a program whose ranks go on without each other lets them exchange the outcome of their waits.
//!
//! HCCL makes one call for a device at a time, so all calls come from the thread that has communicators of the device. A
//! [`DetachedComm`] that another thread drops meanwhile is left to that thread, which destroys it with its own next
//! communicator.
//!
//! # Functions of HCCL without a typed form
//!
//! | function | reason |
//! |---|---|
//! | `HcclGroupStart`, `HcclGroupEnd` | A group adds no operation. Messages that do not block each other are a [`Batch`], and each rank has a thread of its own. Collectives of a group run at its end, the largest first (published source), so one of them may run before an earlier one whose result it reads. The end returns success for calls of the group that have failed (published source), so fresh memory may stay unwritten. A type could allow only messages and collectives that share no memory, and could not return their results as written. |
//! | `HcclCommSuspend`, `HcclCommResume` | A suspended communicator refuses its operations, and resuming takes place on all ranks at once: an agreement that no type of one rank sees. |
//! | `HcclCommSetMemoryRange` and the calls for its parts | They exchange memory of a reserved range of addresses, which no buffer here has. |
//! | `HcclCommRegister`, `HcclCommDeregister`, `HcclCommExchangeMem`, `HcclCommSymWinRegister`, `HcclCommSymWinDeregister`, `HcclCommSymWinGet` | Other ranks use registered memory until it is removed on all of them: an agreement that no type of one rank sees. |
//! | `HcclCommWorkingDevNicSet` | It takes effect when all ranks name the same cards. |
//! | `HcclSetConfig`, `HcclGetConfig`, `HcclSetCommConfig`, `HcclGetCommConfig` | [`CommOptions::with_determinism`] sets the option for one communicator before it is made, and not for all of a device. |
//! | `HcclGetRootInfoScalable`, `HcclCommInitRootInfoScalable` | They replace one root by several, for tens of thousands of ranks, and change nothing else. |
//!
//! # After an error
//!
//! A failed wait returns neither memory nor communicator: other ranks may still use them.
//! [`Stream::drain`](crate::Stream::drain) waits once more and returns both unverified. Then the communicator is destroyed,
//! and the ranks join a new one. They queue it on a new stream, of another name or without one: a stream whose wait has
//! failed proves nothing any more.

mod all;
mod call;
mod claim;
mod comm;
mod counts;
pub(crate) mod element;
mod join;
pub(crate) mod name;
pub(crate) mod operand;
mod options;
mod pair;
mod product;
pub(crate) mod rank;
mod raw_comm;
mod reduce;
mod root;
mod share;
mod sub;
mod varied;

pub use all::{DetachedComm, Member};
pub use comm::Comm;
pub use counts::{CountMatrix, RankCounts};
pub use element::{Max, Min, Prod, Sum};
pub use name::{CommName, Sub, World};
pub use options::{CommOptions, Determinism};
pub use pair::Batch;
pub use rank::{Rank, Ranks};
pub use root::RootInfo;
