//! The memory that the program gives to a graph, and the parts of it that work and the host use.

use std::ffi::c_void;
use std::mem::ManuallyDrop;
use std::ptr;
use std::sync::Arc;

use crate::memory::{Buf, Elements, Init, OnDevice, Place, Slice, SliceMut};
use crate::park::{Parking, StreamKey, User};
use crate::queue::owned::Owned;
use crate::queue::{Resource, Shared};

/// Memory that a [`Graph`](crate::graph::Graph) on the device `D` can own: initialised buffers, [`Shared`] ones, and tuples,
/// arrays, `Vec`s and `Option`s of them. With the features of their areas also kernels and communicators.
///
/// A closure that records, [`Graph::memory`](crate::graph::Graph::memory) and [`Queued::memory`](crate::Queued::memory) get
/// parts of it in a container of the same form.
///
/// | in the graph | what work and the host get |
/// |---|---|
/// | [`Buf`] | [`SliceMut`] |
/// | [`Shared<D, Buf>`](Shared) | [`Slice`] |
/// | [`Function`](crate::kernel::Function) | `Function`, which a recording launches |
/// | [`Comm`](crate::collective::Comm) | a communicator for `recording.with(&comm)` |
///
/// Fields of a struct go in one by one, and come back so:
///
/// ```
/// # ascendcl::example!(|acl, host, current, stream| {
/// # use ascendcl::{DeviceBuf, Npu};
/// struct Layer<'dev> {
///     weights: DeviceBuf<'dev, Npu<0>, [f32]>,
///     activation: DeviceBuf<'dev, Npu<0>, [f32]>,
/// }
///
/// # let zeros = || current.memset(current.malloc::<f32>(4)?, 0);
/// let layer = Layer { weights: zeros()?, activation: zeros()? };
/// let Layer { weights, activation } = layer;
/// let graph = stream.capture((weights, activation), |recording, (weights, mut activation)| {
///     recording.memcpy_async(&mut activation, &weights)
/// })?;
/// let (weights, activation) = stream.synchronize()?.take(graph).destroy()?;
/// let layer = Layer { weights, activation };
/// # drop((layer.weights, layer.activation));
/// # });
/// ```
#[diagnostic::on_unimplemented(
    message = "a graph on device `{D}` cannot own `{Self}`",
    label = "expected initialised buffers of this device or of the host, kernels or communicators, or tuples, arrays and `Vec`s of them",
    note = "the host may read the memory before the first run, so write fresh memory (`Uninit`) first, or allocate it in the closure: `recording.malloc(len)?`",
    note = "runs use the memory long after a borrow or a scope has ended: move the buffer in, and get it back by `graph.destroy()`; copy a slice of Rust to host memory first; share weights of several graphs as `Shared`",
    note = "take queued memory back first: `stream.synchronize()?.take(buffer)`; the fields of a struct go in one by one, as a tuple"
)]
pub trait GraphMemory<D>: Kept<D> {}
#[diagnostic::do_not_recommend]
impl<D, T: Kept<D>> GraphMemory<D> for T {}

pub(crate) mod kept {
    use super::{Arc, Parking, StreamKey, User};

    crate::state::sealed! {
        "a wrong implementation would make safe calls unsound";
        /// Seals [`GraphMemory`](super::GraphMemory), and says what its parts are.
        pub trait Kept<D> {
            /// The parts, on the queue `Q`, or idle where `Q` is `()`.
            type At<'a, Q>;

            /// Returns the parts.
            ///
            /// # Safety
            ///
            /// - The memory is live and stays where it is during `'a`, and nothing else uses it then but by the result.
            /// - With `Q` = `()` it is idle, otherwise it is queued on `Q`, or work of the recording `Q` uses it.
            unsafe fn at<'a, Q>(this: *mut Self) -> Self::At<'a, Q>;

            /// Parks the memory, as [`Owned::park`](crate::queue::owned::Owned::park) does. The user is the graph.
            ///
            /// # Safety
            ///
            /// - As for `Owned::park`.
            unsafe fn park(self, parking: &Arc<Parking>, users: &[User]);

            /// As [`Owned::enters`](crate::queue::owned::Owned::enters).
            fn enters(&self, stream: StreamKey);

            /// As [`Owned::accepted`](crate::queue::owned::Owned::accepted).
            fn accepted(&self);
        }
    }
}
use kept::Kept;

/// What a graph does with its memory, for code that does not know that it can own it. With a bound at
/// [`Graph`](crate::graph::Graph) instead, the compiler would refuse wrong memory four times.
pub(super) struct Table {
    park: unsafe fn(*mut c_void, &Arc<Parking>, &[User]),
    enters: unsafe fn(*const c_void, StreamKey),
    accepted: unsafe fn(*const c_void),
}

impl Table {
    /// The table of the memory `T`.
    pub(super) const fn of<D, T: Kept<D>>() -> &'static Table {
        const {
            &Table {
                park: park::<D, T>,
                enters: enters::<D, T>,
                accepted: accepted::<D, T>,
            }
        }
    }

    /// Parks the memory.
    ///
    /// # Safety
    ///
    /// - As for [`Kept::park`], and the table is that of `T`.
    pub(super) unsafe fn park<T>(&self, memory: T, parking: &Arc<Parking>, users: &[User]) {
        let mut memory = ManuallyDrop::new(memory);
        // SAFETY: a value of the type of the table (the caller's contract), which is not used again.
        unsafe { (self.park)((&raw mut *memory).cast(), parking, users) };
    }

    /// As [`Kept::enters`].
    ///
    /// # Safety
    ///
    /// - The table is that of `T`.
    pub(super) unsafe fn enters<T>(&self, memory: &T, stream: StreamKey) {
        // SAFETY: a live value of the type of the table (the caller's contract).
        unsafe { (self.enters)(ptr::from_ref(memory).cast(), stream) };
    }

    /// As [`Kept::accepted`].
    ///
    /// # Safety
    ///
    /// - The table is that of `T`.
    pub(super) unsafe fn accepted<T>(&self, memory: &T) {
        // SAFETY: a live value of the type of the table (the caller's contract).
        unsafe { (self.accepted)(ptr::from_ref(memory).cast()) };
    }
}

/// # Safety
///
/// - `memory` is a `T` that is not used again; further as for [`Kept::park`].
unsafe fn park<D, T: Kept<D>>(memory: *mut c_void, parking: &Arc<Parking>, users: &[User]) {
    // SAFETY: the caller's contract.
    let memory = unsafe { memory.cast::<T>().read() };
    // SAFETY: the caller's contract.
    unsafe { memory.park(parking, users) };
}

/// # Safety
///
/// - `memory` is a live `T`.
unsafe fn enters<D, T: Kept<D>>(memory: *const c_void, stream: StreamKey) {
    // SAFETY: the caller's contract.
    unsafe { &*memory.cast::<T>() }.enters(stream);
}

/// # Safety
///
/// - `memory` is a live `T`.
unsafe fn accepted<D, T: Kept<D>>(memory: *const c_void) {
    // SAFETY: the caller's contract.
    unsafe { &*memory.cast::<T>() }.accepted();
}

/// Implements what a resource of streams does in the same way in a graph.
macro_rules! owned {
    ($D:ident) => {
        unsafe fn park(self, parking: &Arc<Parking>, users: &[User]) {
            // SAFETY: the caller's contract.
            unsafe { <Self as Owned<$D>>::park(self, parking, users) };
        }

        fn enters(&self, stream: StreamKey) {
            <Self as Owned<$D>>::enters(self, stream);
        }

        fn accepted(&self) {
            <Self as Owned<$D>>::accepted(self);
        }
    };
}

#[cfg(feature = "collectives")]
pub(super) use owned;

impl<D, M, E> Kept<D> for Buf<'_, M, E, Init>
where
    M: Place + OnDevice<D>,
    E: Elements + ?Sized + 'static,
{
    type At<'a, Q> = SliceMut<'a, M, E, Q>;

    unsafe fn at<'a, Q>(this: *mut Self) -> SliceMut<'a, M, E, Q> {
        // SAFETY: a live buffer (the caller's contract).
        let elements = unsafe { &*this }.raw();
        // SAFETY: initialised memory of `M`; the rest is the caller's contract.
        unsafe { SliceMut::new(elements) }
    }

    owned!(D);
}

impl<'m, D, M, E> Kept<D> for Shared<D, Buf<'m, M, E, Init>>
where
    D: crate::device::AnyDevice,
    M: Place + OnDevice<D>,
    E: Elements + ?Sized + 'static,
    Buf<'m, M, E, Init>: Resource<D>,
{
    type At<'a, Q> = Slice<'a, M, E, Q>;

    unsafe fn at<'a, Q>(this: *mut Self) -> Slice<'a, M, E, Q> {
        // SAFETY: a live share (the caller's contract).
        let elements = unsafe { &**this }.raw();
        // SAFETY: initialised memory of `M`, which nothing writes while shares exist; the rest is the caller's contract.
        unsafe { Slice::new(elements) }
    }

    /// The graph has the share until it is destroyed, so no other owner of it can take the memory back before.
    unsafe fn park(self, parking: &Arc<Parking>, users: &[User]) {
        parking.park(users, self.into_parked());
    }

    fn enters(&self, stream: StreamKey) {
        <Self as Owned<D>>::enters(self, stream);
    }

    fn accepted(&self) {
        <Self as Owned<D>>::accepted(self);
    }
}

/// Implements what a container does: it asks each of its elements.
macro_rules! each {
    ($D:ident) => {
        unsafe fn park(self, parking: &Arc<Parking>, users: &[User]) {
            self.into_iter().for_each(|one| {
                // SAFETY: the caller's contract.
                unsafe { Kept::<$D>::park(one, parking, users) };
            });
        }

        fn enters(&self, stream: StreamKey) {
            self.iter().for_each(|one| Kept::<$D>::enters(one, stream));
        }

        fn accepted(&self) {
            self.iter().for_each(Kept::<$D>::accepted);
        }
    };
}

impl<D, A: Kept<D>> Kept<D> for Vec<A> {
    type At<'a, Q> = Vec<A::At<'a, Q>>;

    unsafe fn at<'a, Q>(this: *mut Self) -> Self::At<'a, Q> {
        // SAFETY: a live `Vec` (the caller's contract). Its elements stay where they are, because it is not changed.
        let elements = unsafe { &mut *this };
        let parts = elements.iter_mut().map(|one| {
            // SAFETY: the caller's contract.
            unsafe { A::at(one) }
        });
        parts.collect()
    }

    each!(D);
}

impl<D, A: Kept<D>, const N: usize> Kept<D> for [A; N] {
    type At<'a, Q> = [A::At<'a, Q>; N];

    unsafe fn at<'a, Q>(this: *mut Self) -> Self::At<'a, Q> {
        // SAFETY: a live array (the caller's contract).
        let elements = unsafe { &mut *this };
        elements.each_mut().map(|one| {
            // SAFETY: the caller's contract.
            unsafe { A::at(one) }
        })
    }

    each!(D);
}

impl<D, A: Kept<D>> Kept<D> for Option<A> {
    type At<'a, Q> = Option<A::At<'a, Q>>;

    unsafe fn at<'a, Q>(this: *mut Self) -> Self::At<'a, Q> {
        // SAFETY: a live `Option` (the caller's contract).
        let element = unsafe { &mut *this };
        element.as_mut().map(|one| {
            // SAFETY: the caller's contract.
            unsafe { A::at(one) }
        })
    }

    each!(D);
}

impl<Device> Kept<Device> for () {
    type At<'a, Q> = ();

    unsafe fn at<'a, Q>(_: *mut Self) -> Self::At<'a, Q> {}

    unsafe fn park(self, _: &Arc<Parking>, _: &[User]) {}

    fn enters(&self, _: StreamKey) {}

    fn accepted(&self) {}
}

/// Implements tuples.
macro_rules! tuples {
    ($(($($A:ident $index:tt),*);)*) => { $(
        impl<Device, $($A: Kept<Device>),*> Kept<Device> for ($($A,)*) {
            type At<'a, Q> = ($($A::At<'a, Q>,)*);

            unsafe fn at<'a, Q>(this: *mut Self) -> Self::At<'a, Q> {
                // SAFETY: the caller's contract; the fields are apart.
                ($(unsafe { $A::at(&raw mut (*this).$index) },)*)
            }

            unsafe fn park(self, parking: &Arc<Parking>, users: &[User]) {
                // SAFETY: the caller's contract.
                $(unsafe { Kept::<Device>::park(self.$index, parking, users) };)*
            }

            fn enters(&self, stream: StreamKey) {
                $(Kept::<Device>::enters(&self.$index, stream);)*
            }

            fn accepted(&self) {
                $(Kept::<Device>::accepted(&self.$index);)*
            }
        }
    )* };
}

tuples! {
    (A 0);
    (A 0, B 1);
    (A 0, B 1, C 2);
    (A 0, B 1, C 2, E 3);
    (A 0, B 1, C 2, E 3, F 4);
    (A 0, B 1, C 2, E 3, F 4, G 5);
    (A 0, B 1, C 2, E 3, F 4, G 5, H 6);
    (A 0, B 1, C 2, E 3, F 4, G 5, H 6, I 7);
}
