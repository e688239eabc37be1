//! Arrays of host values, and lists of tensors and scalars (`aclnn/acl_meta.h`).
//!
//! An array copies its values. A list owns its elements: destroying the list destroys them, and two lists cannot
//! share an element (published source of opbase). CANN dereferences every pointer in a list. Here a list with an
//! element that is not a live tensor or scalar is refused. If an element no longer exists when the list is destroyed,
//! the call reports it.

use ascendcl_sys::{
    ACLNN_ERR_PARAM_INVALID, ACLNN_ERR_PARAM_NULLPTR, aclBoolArray, aclFloatArray, aclIntArray,
    aclScalar, aclScalarList, aclTensor, aclTensorList, aclnnStatus,
};

use super::scalar::SCALARS;
use super::tensor::TENSORS;
use crate::check;
use crate::error::fail;
use crate::handles::registry::{Fate, Registry};

pub(super) static INTS: Registry<Vec<i64>> = Registry::new(0x49);
pub(super) static FLOATS: Registry<Vec<f32>> = Registry::new(0x46);
/// The values are bytes, since C may have stored other values than 0 and 1.
pub(super) static BOOLS: Registry<Vec<u8>> = Registry::new(0x42);
/// All lists of tensors, as handles; 0 is a null element.
pub(super) static TENSOR_LISTS: Registry<Vec<usize>> = Registry::new(0x6c);
/// All lists of scalars, as handles; 0 is a null element.
pub(super) static SCALAR_LISTS: Registry<Vec<usize>> = Registry::new(0x73);

/// Copies the values that C passed and registers them. Returns 0 and sets the error text if they are refused.
///
/// # Safety
///
/// - `values` is null or points to `size` values.
unsafe fn create<T, V>(
    call: &str,
    all: &Registry<Vec<V>>,
    values: *const T,
    size: u64,
    keep: impl Fn(T) -> Result<V, aclnnStatus>,
) -> usize {
    let mut kept = Vec::new();
    let count = usize::try_from(size).unwrap_or(usize::MAX);
    if (values.is_null() && size > 0) || kept.try_reserve_exact(count).is_err() {
        fail(
            ACLNN_ERR_PARAM_NULLPTR,
            format_args!(
                "{call}: value is {:#x}, where {size} values shall be",
                values.addr()
            ),
        );
        return 0;
    }
    for index in 0..count {
        // SAFETY: the caller's contract; the pointer is not null, since there is a value.
        match keep(unsafe { values.wrapping_add(index).read_unaligned() }) {
            Ok(value) => kept.push(value),
            Err(_) => return 0,
        }
    }
    all.insert(kept).unwrap_or(0)
}

/// Removes the object of a handle from its registry; does nothing for null.
fn take<V>(
    call: &str,
    all: &Registry<Vec<V>>,
    handle: usize,
) -> Result<Option<Vec<V>>, aclnnStatus> {
    if handle == 0 {
        return Ok(None);
    }
    let taken = all.visit(handle, &mut |values| (Fate::Remove, std::mem::take(values)));
    taken.map(Some).ok_or_else(|| stale(call, handle))
}

/// Writes the number of values.
///
/// # Safety
///
/// - `size` is null or valid for a write.
unsafe fn count<V>(
    call: &str,
    all: &Registry<Vec<V>>,
    handle: usize,
    size: *mut u64,
) -> aclnnStatus {
    if handle == 0 || size.is_null() {
        return fail(
            ACLNN_ERR_PARAM_NULLPTR,
            format_args!(
                "{call}: it was given null; pass what was created, and a place for its size"
            ),
        );
    }
    let Some(found) = all.visit(handle, &mut |values| (Fate::Keep, values.len())) else {
        return stale(call, handle);
    };
    // SAFETY: not null; the caller's contract.
    unsafe { size.write(found as u64) };
    0
}

#[cold]
fn stale(call: &str, handle: usize) -> aclnnStatus {
    check::not_alive(call, "the handle", handle);
    fail(
        ACLNN_ERR_PARAM_INVALID,
        format_args!("{call}: {handle:#x} is not a handle of this kind, or was destroyed already"),
    )
}

/// Returns the handle of an element if it is null or alive.
fn element<V: Clone>(call: &str, all: &Registry<V>, handle: usize) -> Result<usize, aclnnStatus> {
    if handle == 0 || all.get(handle).is_some() {
        return Ok(handle);
    }
    Err(stale(call, handle))
}

/// Destroys a list and its elements, which are all of one `kind`.
fn destroy<V>(
    call: &'static str,
    lists: &Registry<Vec<usize>>,
    (elements, kind): (&Registry<V>, &'static str),
    handle: usize,
) -> aclnnStatus {
    let mut lost = match take(call, lists, handle) {
        Ok(list) => list.unwrap_or_default(),
        Err(code) => return code,
    };
    // All elements are destroyed, even if one of them could not be.
    lost.retain(|element| {
        if *element == 0 {
            return false;
        }
        let is_lost = !elements.remove(*element);
        check::tell(call, &|checker, site| {
            if is_lost {
                checker.stale(kind, *element, site);
            } else {
                checker.destroyed(*element, &site);
            }
        });
        is_lost
    });
    let Some(first) = lost.first() else {
        return 0;
    };
    fail(
        ACLNN_ERR_PARAM_INVALID,
        format_args!(
            "{call}: {} of the elements, {first:#x} the first, were destroyed already; a list owns its elements, \
             so leave them to it",
            lost.len()
        ),
    )
}

/// Defines the functions of one kind of array.
macro_rules! arrays {
    ($($(#[$doc:meta])* $Array:ident, $T:ty, $all:ident, $create:ident, $destroy:ident, $size:ident, $keep:expr;)*) => {$(
        $(#[$doc])*
        ///
        /// Returns null, with a text for `aclGetRecentErrMsg`, if `size` is not 0 and `value` is null.
        ///
        /// # Safety
        ///
        /// - `value` is null or points to `size` values.
        pub unsafe extern "C" fn $create(value: *const $T, size: u64) -> *mut $Array {
            // SAFETY: the caller's contract; for a `bool` a byte is read, which has the same size.
            let handle = unsafe { create(stringify!($create), &$all, value.cast(), size, $keep) };
            core::ptr::without_provenance_mut(handle)
        }

        /// Releases an array. Null is allowed. Returns 161002 for a handle of no live array.
        ///
        /// # Safety
        ///
        /// None: any value is allowed, because handles are looked up and never dereferenced.
        pub unsafe extern "C" fn $destroy(array: *const $Array) -> aclnnStatus {
            take(stringify!($destroy), &$all, array.addr()).err().unwrap_or(0)
        }

        /// Writes the number of values of an array. Returns 161001 for null and 161002 for a handle of no live array.
        ///
        /// # Safety
        ///
        /// - `size` is null or valid for a write. Handles may be any values: they are looked up and never dereferenced.
        pub unsafe extern "C" fn $size(array: *const $Array, size: *mut u64) -> aclnnStatus {
            // SAFETY: the caller's contract.
            unsafe { count(stringify!($size), &$all, array.addr(), size) }
        }
    )*};
}

arrays! {
    /// Copies whole numbers into an array.
    aclIntArray, i64, INTS, aclCreateIntArray, aclDestroyIntArray, aclGetIntArraySize, Ok::<i64, _>;
    /// Copies numbers into an array.
    aclFloatArray, f32, FLOATS, aclCreateFloatArray, aclDestroyFloatArray, aclGetFloatArraySize, Ok::<f32, _>;
    /// Copies truth values into an array.
    aclBoolArray, bool, BOOLS, aclCreateBoolArray, aclDestroyBoolArray, aclGetBoolArraySize, Ok::<u8, _>;
}

/// Defines the functions of one kind of list.
macro_rules! lists {
    ($($(#[$doc:meta])* $List:ident, $T:ty, $all:ident of $elements:ident as $kind:ident, $create:ident, $destroy:ident, $size:ident;)*) => {$(
        $(#[$doc])*
        ///
        /// The list owns its elements. An element may be null.
        ///
        /// Returns null, with a text for `aclGetRecentErrMsg`, if `size` is not 0 and `value` is null, or if an
        /// element is not alive.
        ///
        /// # Safety
        ///
        /// - `value` is null or points to `size` values.
        pub unsafe extern "C" fn $create(value: *const *const $T, size: u64) -> *mut $List {
            let call = stringify!($create);
            let keep = |one: *const $T| element(call, &$elements, one.addr());
            // SAFETY: the caller's contract.
            let handle = unsafe { create(call, &$all, value, size, keep) };
            core::ptr::without_provenance_mut(handle)
        }

        /// Releases the list and its elements. Null is allowed. Returns 161002 for a handle of no live list. It also
        /// returns 161002 if the program already destroyed an element by itself, which on a card is a second
        /// `delete`.
        ///
        /// # Safety
        ///
        /// None: any value is allowed, because handles are looked up and never dereferenced.
        pub unsafe extern "C" fn $destroy(array: *const $List) -> aclnnStatus {
            destroy(stringify!($destroy), &$all, (&$elements, check::$kind), array.addr())
        }

        /// Writes the number of elements of a list. Returns 161001 for null and 161002 for a handle of no live list.
        ///
        /// # Safety
        ///
        /// - `size` is null or valid for a write. Handles may be any values: they are looked up and never dereferenced.
        pub unsafe extern "C" fn $size(list: *const $List, size: *mut u64) -> aclnnStatus {
            // SAFETY: the caller's contract.
            unsafe { count(stringify!($size), &$all, list.addr(), size) }
        }
    )*};
}

lists! {
    /// Makes a list of tensors.
    aclTensorList, aclTensor, TENSOR_LISTS of TENSORS as TENSOR, aclCreateTensorList, aclDestroyTensorList, aclGetTensorListSize;
    /// Makes a list of scalars.
    aclScalarList, aclScalar, SCALAR_LISTS of SCALARS as SCALAR, aclCreateScalarList, aclDestroyScalarList, aclGetScalarListSize;
}
