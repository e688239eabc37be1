//! Where the operands of an operator are: the site of a plan, as its arguments say it.

use std::ffi::CStr;

use ascendcl_sys as sys;

use crate::memory::{Buf, Elements, Place, SliceMut};
use crate::op::layout::Layout;
use crate::op::tensor::{Tensor, TensorOut};
use crate::queue::{Queue, Queued, Resource};

/// Arguments of an operator, which may say where the operands are.
///
/// Outputs are idle memory of any context of a device, so the output of an operator without operands does not say which
/// context it runs in. The current one does.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is no argument of an operator",
    note = "the table of `ascendcl::op::Parameter` says what goes where"
)]
pub trait Located {
    /// The site of these arguments where the current device is `D`, or `Rest` if they have none.
    type Site<D, Rest>;
}

/// Lists arguments that are nowhere.
macro_rules! nowhere {
    ($($type:ty),* $(,)?) => { $(
        impl Located for $type {
            type Site<D, Rest> = Rest;
        }
    )* };
}

nowhere!(
    (),
    bool,
    i8,
    i16,
    i32,
    i64,
    u8,
    u16,
    u32,
    u64,
    f32,
    f64,
    sys::aclDataType,
    &CStr,
    // The rest is no argument, which `Describe` says; without it here each mistake would be one error more.
    &str,
    String,
    &String,
    &bool,
    &i64,
    &f32,
);
#[cfg(feature = "half")]
nowhere!(half::f16, half::bf16);

impl<X, T, L> Located for &Tensor<'_, X, T, L> {
    type Site<D, Rest> = X;
}
impl<O: Located, L: Layout> Located for TensorOut<O, L> {
    type Site<D, Rest> = O::Site<D, Rest>;
}
// No argument either: a tensor goes by reference, an output by value, and a buffer as a tensor.
impl<X, T, L> Located for Tensor<'_, X, T, L> {
    type Site<D, Rest> = X;
}
impl<O: Located, L: Layout> Located for &TensorOut<O, L> {
    type Site<D, Rest> = O::Site<D, Rest>;
}
impl<M: Place, E: Elements + ?Sized, I> Located for &Buf<'_, M, E, I> {
    type Site<D, Rest> = D;
}
impl<Q: Queue, R: Resource<Q::Device>, H> Located for &Queued<'_, Q, R, H> {
    type Site<D, Rest> = Q;
}

/// Lists what contains arguments, or memory, of one type.
macro_rules! containers {
    ($([$($generics:tt)*] $type:ty),* $(,)?) => { $(
        impl<A: Located, $($generics)*> Located for $type {
            type Site<D, Rest> = A::Site<D, Rest>;
        }
    )* };
}

containers!(
    [] &[A], [const N: usize] &[A; N], [const N: usize] [A; N], [] &Vec<A>, [] Vec<A>, [] Option<A>,
);

impl<M: Place, E: Elements + ?Sized, I> Located for Buf<'_, M, E, I> {
    type Site<D, Rest> = D;
}
impl<M: Place, E: Elements + ?Sized, I> Located for &mut Buf<'_, M, E, I> {
    type Site<D, Rest> = D;
}
impl<M: Place, E: Elements + ?Sized> Located for SliceMut<'_, M, E, ()> {
    type Site<D, Rest> = D;
}
impl<M: Place, E: Elements + ?Sized, C, S> Located for SliceMut<'_, M, E, (C, S)> {
    type Site<D, Rest> = (C, S);
}
impl<Q: Queue, R: Resource<Q::Device>, H> Located for Queued<'_, Q, R, H> {
    type Site<D, Rest> = Q;
}
impl<Q: Queue, R: Resource<Q::Device>, H> Located for &mut Queued<'_, Q, R, H> {
    type Site<D, Rest> = Q;
}
