//! What the outputs of an operator write to, as the caller has it before and after.

use crate::memory::Destination;
use crate::op::site::Output;
use written::{Many, Maybe, One, Returned, Written};

/// A list of what outputs write to, one behind the other, as the plan holds it.
pub trait Flatten {
    /// Nothing, one, or a tuple.
    type Flat;

    #[doc(hidden)]
    fn flatten(self) -> Self::Flat;
}

/// What the outputs of an operator write to, with the list `L` of their element types.
pub trait Outputs<X, L>: Written<X, L> {}
impl<X, L, O: Written<X, L>> Outputs<X, L> for O {}

pub(crate) mod written {
    use std::marker::PhantomData;

    /// Does the work of [`Outputs`](super::Outputs), and seals it.
    pub trait Written<X, L> {
        /// What the caller has afterwards.
        type Written;

        /// # Safety
        ///
        /// The operator was queued, for a queue; has succeeded, for a device.
        unsafe fn written(self) -> Self::Written;
    }

    /// The memory `Self` is written by an output `K` of an operator: [`One`], [`Front`], [`Many`] or [`Maybe`].
    pub trait Returned<X, K> {
        /// What the caller has afterwards.
        type Returned;

        /// # Safety
        ///
        /// The operator was queued, for a queue; has succeeded, for a device.
        unsafe fn returned(self) -> Self::Returned;
    }

    /// An output that is a tensor of `T` elements.
    #[derive(Debug)]
    pub struct One<T>(PhantomData<T>);
    /// An output of `T` elements of which the operator writes the front.
    #[derive(Debug)]
    pub struct Front<T>(PhantomData<T>);
    /// An output that is a list of tensors of `T` elements.
    #[derive(Debug)]
    pub struct Many<T>(PhantomData<T>);
    /// An output `K` that the caller may leave out.
    #[derive(Debug)]
    pub struct Maybe<K>(PhantomData<K>);
}

impl<X, T, O: Output<X, T>> Returned<X, One<T>> for O {
    type Returned = O::Written;

    #[inline(always)]
    unsafe fn returned(self) -> O::Written {
        // SAFETY: the caller's contract; the operator writes each output as a whole (contract of `Operator`).
        unsafe { Destination::written(self) }
    }
}

impl<X, T, O: Output<X, T>> Returned<X, Many<T>> for Vec<O> {
    type Returned = Vec<O::Written>;

    unsafe fn returned(self) -> Vec<O::Written> {
        // SAFETY: the caller's contract; the operator writes each output as a whole (contract of `Operator`).
        let written = |one: O| unsafe { one.written() };
        self.into_iter().map(written).collect()
    }
}

impl<X, T, O: Output<X, T>, const N: usize> Returned<X, Many<T>> for [O; N] {
    type Returned = [O::Written; N];

    unsafe fn returned(self) -> [O::Written; N] {
        // SAFETY: the caller's contract; the operator writes each output as a whole (contract of `Operator`).
        self.map(|one: O| unsafe { one.written() })
    }
}

impl<X, K, O: Returned<X, K>> Returned<X, Maybe<K>> for Option<O> {
    type Returned = Option<O::Returned>;

    unsafe fn returned(self) -> Option<O::Returned> {
        // SAFETY: the caller's contract.
        self.map(|one| unsafe { one.returned() })
    }
}

impl<X, K> Returned<X, Maybe<K>> for () {
    type Returned = ();

    unsafe fn returned(self) {}
}

impl<O> Flatten for ((), O) {
    type Flat = O;

    #[inline(always)]
    fn flatten(self) -> O {
        self.1
    }
}
impl<X, K, O: Returned<X, K>> Written<X, ((), K)> for O {
    type Written = O::Returned;

    #[inline(always)]
    unsafe fn written(self) -> O::Returned {
        // SAFETY: the caller's contract.
        unsafe { self.returned() }
    }
}

/// Implements what is said of outputs for several of them: the innermost list has the first two.
macro_rules! outputs {
    ([$($O:ident $K:ident $value:ident)*] $list:ty, $kinds:ty, $pattern:pat,) => {};
    ([$($O:ident $K:ident $value:ident)*] $list:ty, $kinds:ty, $pattern:pat, $P:ident $L:ident $next:ident $($rest:ident)*) => {
        impl<$($O,)* $P> Flatten for ($list, $P) {
            type Flat = ($($O,)* $P);

            #[inline(always)]
            fn flatten(self) -> Self::Flat {
                let ($pattern, $next) = self;
                ($($value,)* $next)
            }
        }
        impl<X, $($K, $O: Returned<X, $K>,)* $L, $P: Returned<X, $L>> Written<X, ($kinds, $L)> for ($($O,)* $P) {
            type Written = ($($O::Returned,)* $P::Returned);

            #[inline(always)]
            unsafe fn written(self) -> Self::Written {
                let ($($value,)* $next) = self;
                // SAFETY: the caller's contract, for each of them.
                ($( unsafe { $value.returned() }, )* unsafe { $next.returned() })
            }
        }
        outputs!([$($O $K $value)* $P $L $next] ($list, $P), ($kinds, $L), ($pattern, $next), $($rest)*);
    };
}

outputs!([A K1 a] ((), A), ((), K1), ((), a),
    B K2 b C K3 c E K4 e F K5 f G K6 g H K7 h I K8 i
    J K9 j M K10 m N K11 n R K12 r);
