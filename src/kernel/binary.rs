//! Binaries of kernels, and the functions in them.

use std::fmt;
use std::marker::PhantomData;
use std::mem::ManuallyDrop;
use std::path::Path;

use ascendcl_sys as sys;

use crate::context::Current;
use crate::device::{AnyDevice, in_context};
#[cfg(doc)]
use crate::error::ErrorKind;
use crate::error::{Error, KernelMismatch, Result, Usage};
use crate::kernel::declare::Kernel;
use crate::kernel::parameter::Parameters;
use crate::kernel::parameter::seal::Layout;
use crate::raw::{Handle, c_path, check};
use crate::state::{Invariant, NotSend};

/// A loaded binary: a container of [kernels](mod@crate::kernel) on the device `D` (`aclrtBinHandle`).
///
/// [`Binary::unload`] waits for the device and unloads it. A binary that is dropped is parked: it is unloaded after the
/// next wait for the whole device, because nothing else proves that none of its kernels runs.
///
/// It stays on the thread that has loaded it, where its context is current, and so do its functions. So no launch comes
/// behind the unload.
///
/// ```
/// use ascendcl::kernel::{Binary, InOut};
/// use ascendcl::{Npu, Result};
///
/// ascendcl::kernel! { struct Clear = clear(x: InOut<u32>); }
///
/// fn has_clear(binary: &Binary<'_, '_, Npu<0>>) -> bool {
///     // SAFETY: the kernel is looked up, and not launched.
///     unsafe { binary.kernel::<Clear>() }.is_ok()
/// }
/// ```
///
/// # Invariants
///
/// - `raw` is loaded in the context of `current`, and nothing else unloads it.
#[must_use = "a binary that is dropped is unloaded after the next wait for the device"]
pub struct Binary<'t, 'dev, D: AnyDevice> {
    raw: Handle,
    current: Current<'t, 'dev, D>,
}

impl<'t, 'dev, D: AnyDevice> Current<'t, 'dev, D> {
    /// Loads a binary of kernels from a file (`aclrtBinaryLoadFromFile`), such as `saxpy.o`.
    ///
    /// ```
    /// use ascendcl::kernel::Binary;
    /// use ascendcl::{Current, Npu, Result};
    ///
    /// fn load<'t, 'dev>(current: Current<'t, 'dev, Npu<0>>) -> Result<Binary<'t, 'dev, Npu<0>>> {
    ///     current.load_binary("saxpy.o")
    /// }
    /// ```
    ///
    /// # Errors
    ///
    /// [`Usage::Path`] for a path with a NUL.
    /// [`ErrorKind::Refused`] when the file cannot be read or is no binary for this device; the text gives the reason.
    #[doc(alias = "aclrtBinaryLoadFromFile")]
    pub fn load_binary(self, path: impl AsRef<Path>) -> Result<Binary<'t, 'dev, D>> {
        let path = path.as_ref();
        // C takes absolute paths only. It refuses an empty one by itself.
        let absolute = std::path::absolute(path);
        let name = c_path(&absolute.unwrap_or_else(|_| path.to_owned()))?;
        let mut raw = core::ptr::null_mut();
        // SAFETY: a C string, no options, and `raw` is valid for a write.
        let code = unsafe {
            sys::aclrtBinaryLoadFromFile(name.as_ptr(), core::ptr::null_mut(), &raw mut raw)
        };
        self.loaded_binary("aclrtBinaryLoadFromFile", code, raw)
    }

    /// Loads a binary of kernels from memory (`aclrtBinaryLoadFromData`), such as that of `include_bytes!`. C copies it
    /// during the call.
    ///
    /// ```
    /// use ascendcl::kernel::Binary;
    /// use ascendcl::{Current, Npu, Result};
    ///
    /// fn load<'t, 'dev>(
    ///     current: Current<'t, 'dev, Npu<0>>,
    ///     saxpy: &[u8],
    /// ) -> Result<Binary<'t, 'dev, Npu<0>>> {
    ///     current.load_binary_from(saxpy)
    /// }
    /// ```
    ///
    /// # Errors
    ///
    /// [`ErrorKind::Refused`] when the bytes are no binary for this device; the text gives the reason.
    #[doc(alias = "aclrtBinaryLoadFromData")]
    pub fn load_binary_from(self, bytes: &[u8]) -> Result<Binary<'t, 'dev, D>> {
        let mut raw = core::ptr::null_mut();
        // SAFETY: readable bytes, no options, and `raw` is valid for a write.
        let code = unsafe {
            sys::aclrtBinaryLoadFromData(
                bytes.as_ptr().cast(),
                bytes.len(),
                core::ptr::null(),
                &raw mut raw,
            )
        };
        self.loaded_binary("aclrtBinaryLoadFromData", code, raw)
    }

    fn loaded_binary(
        self,
        call: &'static str,
        code: sys::aclError,
        raw: sys::aclrtBinHandle,
    ) -> Result<Binary<'t, 'dev, D>> {
        check(call, code)?;
        // INVARIANT: loaded in the current context, which is that of `D`.
        Ok(Binary {
            raw: Handle::new(call, raw)?,
            current: self,
        })
    }
}

impl<D: AnyDevice> Binary<'_, '_, D> {
    /// Returns the kernel `K` (`aclrtBinaryGetFunction`).
    ///
    /// Where the binary has a summary of the kernel's parameters (`aclrtFunctionGetParamCount`), their number, offsets and
    /// sizes are compared with the declaration. That is once, and not at each launch.
    ///
    /// # Safety
    ///
    /// The function with the name of `K` in this binary does what `K` declares, in each launch that the conditions of `K`
    /// admit:
    ///
    /// - It has these parameters, in this order.
    /// - It uses no memory of the device but that of its arguments, and of each buffer no more than its elements.
    /// - It writes no element of an `In`, it writes each element of an `Out`, and it reads no element of an `Out` before
    ///   it has written it.
    ///
    /// # Errors
    ///
    /// [`ErrorKind::Refused`] when the binary has no kernel of this name. [`KernelMismatch::Count`] and
    /// [`KernelMismatch::Layout`] when its own summary differs from the declaration.
    ///
    /// # Examples
    ///
    /// ```
    /// use ascendcl::kernel::{Binary, Function, In, Out};
    /// use ascendcl::{Npu, Result};
    ///
    /// ascendcl::kernel! { struct Exp = exp(x: In<f32>, y: Out<f32>) where x == y; }
    ///
    /// fn exp<'b>(binary: &'b Binary<'_, '_, Npu<0>>) -> Result<Function<'b, Npu<0>, Exp>> {
    ///     // SAFETY: the binary was built from `exp.cpp`, whose kernel `exp` is the declared one.
    ///     unsafe { binary.kernel() }
    /// }
    /// ```
    #[doc(alias = "aclrtBinaryGetFunction")]
    #[doc(alias("aclrtFunctionGetParamCount", "aclrtFunctionGetParamInfo"))]
    pub unsafe fn kernel<K: Kernel>(&self) -> Result<Function<'_, D, K>> {
        let mut raw = core::ptr::null_mut();
        // SAFETY: a loaded binary (invariant), a C string, and `raw` is valid for a write.
        let code = unsafe {
            sys::aclrtBinaryGetFunction(self.raw.as_ptr(), K::NAME.as_ptr(), &raw mut raw)
        };
        let call = "aclrtBinaryGetFunction";
        check(call, code)?;
        let raw = Handle::new(call, raw)?;
        let kernel = K::NAME.to_str().unwrap_or_default();
        compare(raw, kernel, K::NAMES, K::Parameters::LAYOUT)?;
        // INVARIANT: the caller's contract; the result borrows the binary.
        Ok(Function {
            raw,
            _kernel: PhantomData,
        })
    }

    /// Returns the handle, for functions of C that this crate does not have. Do not unload it.
    ///
    /// ```
    /// fn print(binary: &ascendcl::kernel::Binary<'_, '_, ascendcl::Npu<0>>) {
    ///     println!("{:?}", binary.as_raw());
    /// }
    /// ```
    #[must_use]
    pub fn as_raw(&self) -> sys::aclrtBinHandle {
        self.raw.as_ptr()
    }

    /// Waits for the device and unloads the binary (`aclrtSynchronizeDevice`, `aclrtBinaryUnLoad`).
    ///
    /// `aclrtBinaryUnLoad` does not wait: a kernel that runs then would run freed code. This call does not compile while a
    /// function of the binary is in use.
    ///
    /// ```
    /// use ascendcl::{Current, Npu, Result};
    ///
    /// fn load(current: Current<'_, '_, Npu<0>>) -> Result<()> {
    ///     let binary = current.load_binary("saxpy.o")?;
    ///     binary.unload()
    /// }
    /// ```
    ///
    /// # Errors
    ///
    /// [`ErrorKind::Wait`] as for [`Current::synchronize_device`], and [`ErrorKind::Refused`]. After a failed wait the binary
    /// is parked: it is unloaded after a later successful wait for the device.
    #[doc(alias = "aclrtBinaryUnLoad")]
    pub fn unload(self) -> Result<()> {
        self.current.core().wait_and_release()?;
        let this = ManuallyDrop::new(self);
        // SAFETY: a loaded binary that this value owns, in its context. Its functions stay on this thread and borrow it, so
        // each launch came before the wait.
        check("aclrtBinaryUnLoad", unsafe {
            sys::aclrtBinaryUnLoad(this.raw.as_ptr())
        })
    }
}

impl<D: AnyDevice> Drop for Binary<'_, '_, D> {
    fn drop(&mut self) {
        let core = self.current.core();
        // SAFETY: a binary of the context of `core`, which this value owned. Its functions borrow it.
        let parked = unsafe {
            in_context(
                core,
                "aclrtBinaryUnLoad",
                self.raw,
                unload_parked,
                |_, _| (),
            )
        };
        // Any stream of the context may run a kernel of it.
        core.parking().park(&[None], parked);
    }
}

impl<D: AnyDevice> fmt::Debug for Binary<'_, '_, D> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Binary({:p})", self.raw.as_ptr())
    }
}

/// Unloads a parked binary. AscendCL releases all of it only in its context (manual, `aclrtBinaryUnLoad`).
///
/// # Safety
///
/// - No kernel of the binary is unfinished, and it is unloaded once.
unsafe fn unload_parked(raw: Handle) -> sys::aclError {
    // SAFETY: the caller's contract.
    unsafe { sys::aclrtBinaryUnLoad(raw.as_ptr()) }
}

/// The kernel `K` in a binary on the device `D` (`aclrtFuncHandle`), for [`Stream::launch`](crate::Stream::launch). It is one
/// word, and borrows the binary.
///
/// ```
/// use ascendcl::kernel::{Function, InOut};
/// use ascendcl::stream::Main;
/// use ascendcl::{DeviceBuf, Npu, Queued, Result, Stream};
///
/// ascendcl::kernel! { struct Clear = clear(x: InOut<u32>); }
///
/// fn clear(
///     stream: &mut Stream<'_, '_, Npu<0>>,
///     clear: Function<'_, Npu<0>, Clear>,
///     x: &mut Queued<'_, (Npu<0>, Main), DeviceBuf<'_, Npu<0>, [u32]>>,
/// ) -> Result<()> {
///     stream.launch(clear, 8, (x,))
/// }
/// ```
///
/// # Invariants
///
/// - The function does what `K` declares (contract of [`Binary::kernel`]), and its binary is loaded.
pub struct Function<'bin, D: AnyDevice, K> {
    raw: Handle,
    _kernel: PhantomData<(&'bin (), Invariant<(D, K)>, NotSend)>,
}

impl<D: AnyDevice, K> Function<'_, D, K> {
    /// Returns the handle, for functions of C that this crate does not have.
    ///
    /// ```
    /// use ascendcl::kernel::{Function, Kernel};
    ///
    /// fn print<K: Kernel>(function: &Function<'_, ascendcl::Npu<0>, K>) {
    ///     println!("{:?} is {:?}", K::NAME, function.as_raw());
    /// }
    /// ```
    #[inline(always)]
    #[must_use]
    pub fn as_raw(&self) -> sys::aclrtFuncHandle {
        self.raw.as_ptr()
    }
}

#[cfg(feature = "graphs")]
impl<D: AnyDevice, K> Function<'_, D, K> {
    /// The function for a part of a graph.
    ///
    /// # Safety
    ///
    /// - The result is not used when the binary may be gone.
    pub(crate) unsafe fn lent<'a>(self) -> Function<'a, D, K> {
        // INVARIANT: the caller's contract.
        Function {
            raw: self.raw,
            _kernel: PhantomData,
        }
    }
}

impl<D: AnyDevice, K> Clone for Function<'_, D, K> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<D: AnyDevice, K> Copy for Function<'_, D, K> {}

impl<D: AnyDevice, K: Kernel> fmt::Debug for Function<'_, D, K> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Function({})", K::NAME.to_string_lossy())
    }
}

/// Compares a declaration with what a binary says of itself.
fn compare(
    function: Handle,
    kernel: &'static str,
    names: &'static [&'static str],
    declared: &'static [Layout],
) -> Result<()> {
    #[cfg(feature = "emulator")]
    declare(function, declared);
    let mut count = 0;
    // SAFETY: a function of a loaded binary, and `count` is valid for a write.
    let code = unsafe { sys::aclrtFunctionGetParamCount(function.as_ptr(), &raw mut count) };
    match code {
        // A binary without a summary, a kernel of an AI CPU, and a release that has no summaries.
        sys::ACL_ERROR_RT_PARAM_INVALID
        | sys::ACL_ERROR_RT_FEATURE_NOT_SUPPORT
        | sys::ACL_ERROR_API_NOT_SUPPORT => return Ok(()),
        code => check("aclrtFunctionGetParamCount", code)?,
    }
    if count != declared.len() {
        return Err(mismatch(KernelMismatch::Count {
            kernel,
            declared: declared.len(),
            found: count,
        }));
    }
    for (index, (parameter, layout)) in names.iter().zip(declared).enumerate() {
        let (mut offset, mut size) = (0, 0);
        // SAFETY: a function of a loaded binary, one of its parameters, and places that are valid for writes.
        let code = unsafe {
            sys::aclrtFunctionGetParamInfo(function.as_ptr(), index, &raw mut offset, &raw mut size)
        };
        check("aclrtFunctionGetParamInfo", code)?;
        let (declared, found) = ((layout.offset, layout.size), (offset, size));
        if declared != found {
            return Err(mismatch(KernelMismatch::Layout {
                kernel,
                parameter,
                declared,
                found,
            }));
        }
    }
    Ok(())
}

fn mismatch(mismatch: KernelMismatch) -> Error {
    Usage::Kernel(mismatch).into()
}

/// Tells the emulator what the kernel does behind each pointer, so that its checker finds a kernel that does something else.
#[cfg(feature = "emulator")]
fn declare(function: Handle, declared: &[Layout]) {
    use crate::kernel::parameter::seal::ParameterKind;
    use ascendcl_emulator::kernel::Declared;

    let kinds = declared.iter().map(|layout| match layout.kind {
        ParameterKind::Value => Declared::Value,
        ParameterKind::Read => Declared::In,
        ParameterKind::Write => Declared::Out,
        ParameterKind::Change => Declared::InOut,
    });
    ascendcl_emulator::kernel::declare(function.as_ptr(), &kinds.collect::<Vec<_>>());
}
