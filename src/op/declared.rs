//! Operators that a program declares: those of CANN that this crate does not have, and its own.

use std::ffi::{CStr, c_void};
use std::ptr::{NonNull, null_mut};
use std::sync::atomic::{AtomicPtr, AtomicUsize, Ordering};

use ascendcl_sys as sys;

use crate::error::{BackendError, Result};

/// Where the functions of a declared operator are, once it was used.
///
/// # Invariants
///
/// `prepare` is null or the first phase of the operator with this name; then `launch` is its second phase.
#[doc(hidden)]
#[derive(Debug)]
pub struct Entry {
    name: &'static CStr,
    prepare: AtomicPtr<c_void>,
    launch: AtomicPtr<c_void>,
    /// What [`age`] was when they were looked up.
    age: AtomicUsize,
}

/// Changes when a program registers an operator in the emulator, which may have a name that was looked up before.
#[inline]
fn age() -> usize {
    #[cfg(feature = "emulator")]
    return ascendcl_emulator::operator::registrations();
    #[cfg(not(feature = "emulator"))]
    0
}

impl Entry {
    /// The operator with this name, which ends in its only NUL.
    #[must_use]
    pub const fn new(name: &'static str) -> Entry {
        Entry {
            name: match CStr::from_bytes_with_nul(name.as_bytes()) {
                Ok(name) => name,
                // Then there is no such operator.
                Err(_) => c"",
            },
            prepare: AtomicPtr::new(null_mut()),
            launch: AtomicPtr::new(null_mut()),
            age: AtomicUsize::new(0),
        }
    }

    /// Looks the operator up, if nobody has yet. A process has one backend, so what was found stays, until a program
    /// registers an operator in the emulator.
    #[inline]
    pub fn find(&self, operator: &'static str) -> Result<()> {
        let age = age();
        // Acquire: the second phase was stored before.
        if self.prepare.load(Ordering::Acquire).is_null() || self.age.load(Ordering::Relaxed) != age
        {
            return self.look_up(operator, age);
        }
        Ok(())
    }

    #[cold]
    fn look_up(&self, operator: &'static str, age: usize) -> Result<()> {
        let Some(found) = sys::operator(self.name) else {
            return Err(BackendError::missing_operator(operator).into());
        };
        // INVARIANT: the second phase first.
        let launch = found.launch as *mut c_void;
        self.launch.store(launch, Ordering::Relaxed);
        self.prepare
            .store(found.prepare.as_ptr(), Ordering::Release);
        self.age.store(age, Ordering::Relaxed);
        Ok(())
    }

    /// The first phase, after [`Entry::find`] has succeeded.
    #[inline]
    pub fn prepare(&self) -> Option<NonNull<c_void>> {
        NonNull::new(self.prepare.load(Ordering::Acquire))
    }

    /// The second phase.
    ///
    /// # Safety
    ///
    /// The contract of [`Operator::launch`](crate::op::Operator), of the operator with this name.
    #[inline]
    pub unsafe fn launch(
        &self,
        workspace: *mut c_void,
        size: u64,
        executor: *mut sys::aclOpExecutor,
        stream: sys::aclrtStream,
    ) -> sys::aclnnStatus {
        let Some(launch) = NonNull::new(self.launch.load(Ordering::Acquire)) else {
            return sys::ACL_ERROR_API_NOT_SUPPORT;
        };
        // SAFETY: `look_up` stored it, and it was such a function.
        let launch =
            unsafe { core::mem::transmute::<*mut c_void, sys::aclnnLaunch>(launch.as_ptr()) };
        // SAFETY: the caller's contract.
        unsafe { launch(workspace, size, executor, stream) }
    }
}

/// Declares an operator that this crate does not have: another one of CANN, or one of a `libcust_opapi.so`. It stands in
/// an `unsafe impl` of [`op::Operator`](crate::op::Operator).
///
/// It names the second phase in C, and the parameters of the first phase without the last two, in C's order. The table of
/// [`op::Parameter`](crate::op::Parameter) has a type for each. `unsafe impl` says that this is right, which nothing can
/// check: look at the header below `aclnnop/`, and see the contract of the trait.
///
/// The operator runs by [`Operator::plan`](crate::op::Operator::plan). It is as safe to use as those of this crate:
/// operands stay borrowed until it has run, and are where its stream is; an output aliases none of them, and is initialised
/// by the run alone. Element types that the declaration ties together are compared by the compiler. Shapes are checked by
/// the operator itself.
///
/// The functions are looked up by name when the operator is used first, as [`sys::operator`](crate::sys::operator) says.
/// Where the backend lacks them, `plan` is an [`ErrorKind::Backend`](crate::ErrorKind::Backend) that names the operator.
///
/// ```
/// use std::marker::PhantomData;
///
/// use ascendcl::bounds::Floating;
/// use ascendcl::op::{In, Operator, Out};
///
/// /// The sum of the tutorials of Ascend C.
/// struct AddCustom<T>(PhantomData<T>);
/// // SAFETY: the parameters of `aclnn_add_custom.h`; it writes all of `z`.
/// unsafe impl<T: Floating> Operator for AddCustom<T> {
///     ascendcl::operator!(aclnnAddCustom(x: In<T>, y: In<T>, z: Out<T>));
/// }
///
/// # use ascendcl::{Current, DeviceBuf, Npu, Result, Stream};
/// # fn example(current: Current<'_, '_, Npu<0>>, stream: &mut Stream<'_, '_, Npu<0>>, [x, y]: [&DeviceBuf<'_, Npu<0>, [f32]>; 2]) -> Result<()> {
/// let sum = current.malloc(16)?.into_tensor(&[4, 4])?;
/// let sum = AddCustom::plan(current, (&x.tensor(&[4, 4])?, &y.tensor(&[4, 4])?, sum))?.run(stream)?;
/// # sum.free() }
/// ```
#[macro_export]
macro_rules! operator {
    ($name:ident($($parameter:ident: $Parameter:ty),+ $(,)?)) => {
        const NAME: &'static str = ::core::stringify!($name);
        const PREPARE: &'static str = ::core::concat!(::core::stringify!($name), "GetWorkspaceSize");
        type Parameters = ($($Parameter,)+);
        type PlannedBy = $crate::op::ByType;

        fn find() -> $crate::Result<()> {
            Self::entry().find(::core::stringify!($name))
        }

        fn entry() -> &'static $crate::op::Entry {
            static ENTRY: $crate::op::Entry = $crate::op::Entry::new(::core::concat!(::core::stringify!($name), "\0"));
            &ENTRY
        }
    };
}
