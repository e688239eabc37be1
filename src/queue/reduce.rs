//! Reductions of one buffer into another (`acl/acl_rt.h`; manual chapter 12).

use ascendcl_sys as sys;

use crate::device::AnyDevice;
#[cfg(doc)]
use crate::error::ErrorKind;
use crate::error::{Result, Usage};
use crate::memory::elements::ElementOf;
use crate::memory::operand::Allocated;
use crate::memory::{Destination, Elements, Operand, Plain, SameElements, Source};
use crate::queue::operand::Updated;
use crate::raw::check;
use crate::stream::{Stream, StreamTag};

/// What a [reduction](Stream::reduce_async) makes of two elements.
///
/// ```
/// use ascendcl::queue::ReduceKind;
///
/// let kind = ReduceKind::Max; // of two elements the larger one
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum ReduceKind {
    /// Their sum.
    Sum,
    /// The larger one.
    Max,
    /// The smaller one.
    Min,
}

impl ReduceKind {
    fn raw(self) -> sys::aclrtReduceKind {
        match self {
            ReduceKind::Sum => sys::ACL_RT_MEMCPY_SDMA_AUTOMATIC_SUM,
            ReduceKind::Max => sys::ACL_RT_MEMCPY_SDMA_AUTOMATIC_MAX,
            ReduceKind::Min => sys::ACL_RT_MEMCPY_SDMA_AUTOMATIC_MIN,
        }
    }
}

/// An element that [`Stream::reduce_async`] combines.
#[diagnostic::on_unimplemented(
    message = "a reduction does not combine `{Self}` elements",
    label = "a reduction takes i8, i16, i32, f32, and with the feature `half` f16 and bf16",
    note = "an operator adds other elements: `op::add`, `op::inplace_add`; `op::cast` converts them"
)]
pub trait ReduceElement: Plain + seal::Reduced {}

mod seal {
    use ascendcl_sys as sys;

    crate::state::sealed! {
        "a wrong type would make the device write beyond the memory";
        /// Seals [`ReduceElement`](super::ReduceElement).
        pub trait Reduced {
            /// The type as C names it.
            const TYPE: sys::aclDataType;
        }
    }
}

/// Lists the elements.
macro_rules! reduced {
    ($($element:ty, $raw:ident;)*) => { $(
        impl seal::Reduced for $element {
            const TYPE: sys::aclDataType = sys::$raw;
        }
        #[diagnostic::do_not_recommend]
        impl ReduceElement for $element {}
    )* };
}

reduced! {
    i8, ACL_INT8;
    i16, ACL_INT16;
    i32, ACL_INT32;
    f32, ACL_FLOAT;
}
#[cfg(feature = "half")]
reduced! {
    half::f16, ACL_FLOAT16;
    half::bf16, ACL_BF16;
}

impl<D: AnyDevice, S: StreamTag> Stream<'_, '_, D, S> {
    /// Queues a reduction: each element of `destination` becomes what `kind` makes of it and of that of `source`
    /// (`aclrtReduceAsync`). The engine for copies does it, so it needs no operator.
    ///
    /// Both are memory of this device, queued on this stream. The destination is read too, so it is no fresh memory.
    ///
    /// ```
    /// # ascendcl::example!(|acl, host, current, stream| {
    /// use ascendcl::queue::ReduceKind;
    ///
    /// let numbers = stream.malloc_host_from(host, &[1.0_f32, 2.0])?;
    /// let part = stream.memcpy_async(stream.malloc(2)?, &numbers)?;
    /// let mut sum = stream.memset_async(stream.malloc::<f32>(2)?, 0)?;
    /// for _ in 0..3 {
    ///     stream.reduce_async(&mut sum, &part, ReduceKind::Sum)?;
    /// }
    /// let back = stream.memcpy_async(stream.malloc_host(host, 2)?, &sum)?;
    /// assert_eq!(stream.synchronize()?.take(back)[..], [3.0, 6.0]);
    /// # });
    /// ```
    ///
    /// # Errors
    ///
    /// [`Usage::Length`] when lengths that are known at run time differ, [`ErrorKind::Backend`] if an older CANN lacks the
    /// function, and [`ErrorKind::Refused`], also for elements that the product does not reduce.
    #[doc(alias = "aclrtReduceAsync")]
    pub fn reduce_async<T, A>(&mut self, destination: T, source: A, kind: ReduceKind) -> Result<()>
    where
        T: Updated<(D, S)>
            + Destination<
                (D, S),
                Place: Operand,
                Origin = Allocated,
                Elements: Elements<Element: ReduceElement>,
            >,
        A: Source<(D, S), Place: Operand, Elements: SameElements<T::Elements>>,
    {
        let (from, to) = (source.source(), destination.destination());
        let (len, other) = (A::Elements::count(from), T::Elements::count(to));
        if !<A::Elements as SameElements<T::Elements>>::KNOWN && len != other {
            return Err(Usage::lengths(len, other));
        }
        if len == 0 {
            return Ok(());
        }
        // No overflow: the allocations of both sides have this many bytes.
        let bytes = len * size_of::<ElementOf<T::Elements>>();
        // SAFETY: a live stream of the current context, and memory of its device: `bytes` bytes on both sides, which are
        // initialised elements of this type, and stay so until the work is over (invariant of `Queued`). They do not overlap,
        // because one side is borrowed exclusively, and this queue orders all other work that uses them.
        let code = unsafe {
            sys::aclrtReduceAsync(
                to.as_ptr().cast(),
                from.as_ptr().cast(),
                bytes as u64,
                kind.raw(),
                <ElementOf<T::Elements> as seal::Reduced>::TYPE,
                self.as_raw(),
                core::ptr::null_mut(),
            )
        };
        check("aclrtReduceAsync", code)
    }
}
