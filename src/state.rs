//! Marker types: the states of memory, the seal of the marker traits, and the lifetimes of handles.

use std::marker::PhantomData;

/// The state of memory that has been written and may be read.
///
/// ```
/// use ascendcl::memory::Init;
/// use ascendcl::{DeviceBuf, Npu};
///
/// /// Weights that were uploaded. `Init` is the default, and can be left out.
/// type Weights<'dev> = DeviceBuf<'dev, Npu<0>, [f32], Init>;
/// ```
#[derive(Debug, Clone, Copy)]
pub enum Init {}

/// The state of fresh memory. It must be filled or copied to before it is read.
///
/// ```
/// use ascendcl::memory::Uninit;
/// use ascendcl::{Current, DeviceBuf, Npu, Result};
///
/// fn upload_into<'dev>(
///     current: Current<'_, '_, Npu<0>>,
///     fresh: DeviceBuf<'dev, Npu<0>, [f32], Uninit>,
/// ) -> Result<DeviceBuf<'dev, Npu<0>, [f32]>> {
///     current.memset(fresh, 0) // the result can be read
/// }
/// ```
#[derive(Debug, Clone, Copy)]
pub enum Uninit {}

/// Declares a trait that seals others: other crates cannot name it, so they cannot implement a trait that requires it.
/// The text in front says why, or which types have the trait.
macro_rules! sealed {
    ($label:literal; $(#[doc = $doc:literal])* $vis:vis trait $name:ident $(<$param:tt>)? { $($items:tt)* }) => {
        #[diagnostic::on_unimplemented(
            message = "this trait of `ascendcl` is sealed: `{Self}` cannot implement it",
            label = $label
        )]
        $(#[doc = $doc])*
        $vis trait $name $(<$param>)? { $($items)* }
    };
}
pub(crate) use sealed;

sealed! {
    "a wrong implementation would make safe calls unsound";
    /// Seals the traits whose implementations have nothing else in common.
    pub trait Sealed {}
}

/// A value of the type `T`. Each type is only itself: a parameter `impl Trait<T>`, where `Trait` requires this one, takes a
/// `T`, and the words of `Trait` are those of the compiler for another value.
#[diagnostic::on_unimplemented(message = "`{Self}` is not `{T}`")]
pub trait Exactly<T> {
    /// Returns the value.
    #[doc(hidden)]
    fn into_inner(self) -> T;
}
#[diagnostic::do_not_recommend]
impl<T> Exactly<T> for T {
    #[inline(always)]
    fn into_inner(self) -> T {
        self
    }
}

/// Makes a type parameter invariant, without a value of that type.
pub(crate) type Invariant<T> = PhantomData<fn(T) -> T>;

/// The marker of a value whose drop uses what is borrowed for `'a`. The compiler asks the fields of a value which borrows its
/// drop needs, and a `PhantomData` needs none.
pub(crate) struct DropUses<'a>(PhantomData<&'a ()>);

impl DropUses<'_> {
    pub(crate) const fn new() -> Self {
        DropUses(PhantomData)
    }
}

impl Drop for DropUses<'_> {
    fn drop(&mut self) {}
}

/// The marker of a value that the binding of a thread has made: it borrows the binding, names the queue or device
/// `Q`, and stays on its thread.
pub(crate) type Bound<'c, Q> = PhantomData<(&'c (), Invariant<Q>, NotSend)>;

/// The text in compiler errors about a handle that stays on its thread. The current context is a property of the
/// thread. [`Current::park`](crate::Current::park) moves a stream, and a [`Worker`](crate::worker::Worker) serves other threads.
#[expect(
    non_camel_case_types,
    reason = "the compiler prints the name, and people read it"
)]
#[derive(Debug)]
pub(crate) enum ContextIsPerThread_ParkStreamsOrUseWorker {}

/// Makes a type neither `Send` nor `Sync`, as a raw pointer is. The compiler prints the target of the pointer.
pub(crate) type NotSend = PhantomData<*const ContextIsPerThread_ParkStreamsOrUseWorker>;
