//! What the calls of collectives share: addresses, and lengths that follow from the number of ranks.

use std::ffi::c_void;
use std::ptr::NonNull;

use ascendcl_sys as sys;

use crate::collective::element::{CommElement, Reduces};
use crate::collective::product::Products;
use crate::error::{CollectiveMismatch, Result, Usage};
use crate::memory::Elements;
use crate::memory::elements::{ElementOf, SameElements};

/// Returns an address as C takes it.
#[inline(always)]
pub(super) fn address<E: Elements + ?Sized>(memory: NonNull<E>) -> *mut c_void {
    memory.as_ptr().cast()
}

/// Returns a number of elements as C takes it.
#[inline(always)]
pub(super) fn count(elements: usize) -> u64 {
    // A `usize` has at most 64 bits.
    elements as u64
}

/// Compares two lengths that must be equal, unless the compiler has compared them.
#[inline(always)]
pub(super) fn same<A, B>(sent: usize, received: usize) -> Result<()>
where
    A: SameElements<B> + ?Sized,
    B: ?Sized,
{
    if !A::KNOWN && sent != received {
        return Err(Usage::lengths(sent, received));
    }
    Ok(())
}

/// Compares the length of a buffer for all ranks with that of a buffer for one of them.
#[inline(always)]
pub(super) fn times(call: &'static str, each: usize, all: usize, ranks: usize) -> Result<()> {
    if each.checked_mul(ranks) == Some(all) {
        return Ok(());
    }
    #[cold]
    fn wrong(call: &'static str, each: usize, all: usize, ranks: usize) -> Result<()> {
        Err(CollectiveMismatch::Length {
            call,
            each,
            all,
            ranks,
        }
        .into())
    }
    wrong(call, each, all, ranks)
}

/// The reduction of the elements `E` by `O` as C names it.
pub(super) const fn operation_of<E: Elements<Element: Reduces<O>> + ?Sized, O>() -> sys::HcclReduceOp
{
    <ElementOf<E> as Reduces<O>>::OPERATION
}

/// The products that lack a reduction of the elements `E` by `O`.
pub(super) const fn refused<E: Elements<Element: Reduces<O>> + ?Sized, O>() -> Products {
    <ElementOf<E> as Reduces<O>>::REFUSED
}

/// The products that do not exchange the elements `E`.
pub(super) const fn lacking<E: Elements<Element: CommElement> + ?Sized>() -> Products {
    <ElementOf<E> as CommElement>::LACKING
}
