//! Tensors of [DLPack](https://dmlc.github.io/dlpack/latest/) 1, for libraries of the process that have tensors of their
//! own.
//!
//! | direction | call | the memory |
//! |---|---|---|
//! | to another library | [`Current::to_dlpack`], then [`into_raw`](ManagedTensor::into_raw) or [`into_legacy`](ManagedTensor::into_legacy) | a buffer is given away, and freed by the tensor; a part of one is lent |
//! | from another library | [`ManagedTensor::from_raw`] or [`from_legacy`](ManagedTensor::from_legacy), then [`Current::borrow_dlpack`] | of the current device is borrowed, as [`ForeignBuf`] |
//!
//! Memory of a device has the type `kDLAscend` (21), and host memory has `kDLCPU`. Tensors are contiguous. The memory is
//! idle, so a consumer needs no stream: wait for queued memory first.
//!
//! ```
//! # ascendcl::example!(|acl, host, current| {
//! use ascendcl::dlpack::ManagedTensor;
//!
//! let numbers = current.malloc_host_from(host, &[1.0_f32, 2.0, 3.0, 4.0, 5.0, 6.0])?;
//! let on_device = current.memcpy(current.malloc::<f32>(6)?, &numbers)?;
//! let tensor = current.to_dlpack(on_device, &[2, 3])?;
//! // Another library gets this address, and calls the deleter when it has finished.
//! let address = tensor.into_raw();
//!
//! // A tensor of another library is taken like this.
//! // SAFETY: a tensor that nothing else uses, and whose memory is that of the current device.
//! let tensor = unsafe { ManagedTensor::from_raw(address)? };
//! assert_eq!(tensor.shape(), [2, 3]);
//! // SAFETY: its elements were written, and nothing else uses them meanwhile.
//! let memory = unsafe { current.borrow_dlpack::<f32>(&tensor)? };
//! let mut back = current.malloc_host::<f32>(host, 6)?;
//! current.memcpy(&mut back, &memory)?;
//! assert_eq!(back[5], 6.0);
//! # });
//! ```

use std::ffi::c_void;
use std::fmt;
use std::marker::PhantomData;
use std::mem::ManuallyDrop;
use std::ptr::NonNull;

use ascendcl_sys as sys;

use crate::context::Current;
use crate::device::AnyDevice;
#[cfg(doc)]
use crate::error::ErrorKind;
use crate::error::{Result, Usage};
use crate::memory::{Buf, Dev, Elements, ForeignBuf, Host, Init, Slice, SliceMut};
use crate::op::element::Element;
use crate::raw::check;
use crate::state::Sealed;

/// The major version of the structures below. Minor versions add numbers only.
const MAJOR: u32 = 1;
const MINOR: u32 = 3;

/// `kDLCPU`.
const CPU: i32 = 1;
/// `kDLAscend`.
const ASCEND: i32 = 21;
/// `kDLExtDev`: what libraries name their device that know no number for it, as torch_npu does.
const EXT_DEV: i32 = 12;

/// `DLPACK_FLAG_BITMASK_READ_ONLY`.
const READ_ONLY: u64 = 1;

/// `DLManagedTensorVersioned` of `dlpack/dlpack.h`, with the structures in it.
#[repr(C)]
struct Managed {
    major: u32,
    minor: u32,
    manager: *mut c_void,
    deleter: Option<unsafe extern "C" fn(*mut Managed)>,
    flags: u64,
    tensor: Described,
}

/// `DLTensor`.
#[repr(C)]
#[derive(Clone, Copy)]
struct Described {
    data: *mut c_void,
    device_type: i32,
    device_id: i32,
    rank: i32,
    code: u8,
    bits: u8,
    lanes: u16,
    shape: *const i64,
    strides: *const i64,
    byte_offset: u64,
}

/// `DLManagedTensor`: the tensors of DLPack before 1, which have no version and no flags.
#[repr(C)]
struct Legacy {
    tensor: Described,
    manager: *mut c_void,
    deleter: Option<unsafe extern "C" fn(*mut Legacy)>,
}

/// Releases a tensor of [`ManagedTensor::into_legacy`].
///
/// # Safety
///
/// The address is that of a `Legacy` in a box, whose manager is a `Managed`. Nobody uses either afterwards.
unsafe extern "C" fn delete_legacy(tensor: *mut Legacy) {
    // SAFETY: the contract of this function.
    let legacy = unsafe { Box::from_raw(tensor) };
    // SAFETY: the contract of this function.
    drop(unsafe { ManagedTensor::from_raw(legacy.manager) });
}

/// Releases a tensor of [`ManagedTensor::from_legacy`], with the one that it was made of.
///
/// # Safety
///
/// The address is that of a `Managed` in a box, whose manager is a `Legacy`. Nobody uses either afterwards.
unsafe extern "C" fn delete_managed(tensor: *mut Managed) {
    // SAFETY: the contract of this function.
    let legacy = unsafe { Box::from_raw(tensor) }.manager.cast::<Legacy>();
    // SAFETY: the contract of this function.
    if let Some(deleter) = unsafe { (*legacy).deleter } {
        // SAFETY: DLPack promises that the deleter takes its own tensor, once.
        unsafe { deleter(legacy) };
    }
}

/// A tensor, with what keeps its memory.
#[repr(C)]
struct Owned<O> {
    managed: Managed,
    sizes: Box<[i64]>,
    strides: Box<[i64]>,
    owner: O,
}

/// Releases a tensor of this crate.
///
/// # Safety
///
/// The address is that of an `Owned<O>` in a box, which nobody uses afterwards.
unsafe extern "C" fn delete<O>(tensor: *mut Managed) {
    // SAFETY: the contract of this function; `managed` is the first field of `Owned`.
    drop(unsafe { Box::from_raw(tensor.cast::<Owned<O>>()) });
}

/// A tensor for or of another library: `DLManagedTensorVersioned`. Dropping it calls its deleter.
///
/// The memory that [`Current::to_dlpack`] was given lives as long as the tensor, and memory that it was lent is borrowed
/// for `'m`.
///
/// ```
/// use ascendcl::dlpack::ManagedTensor;
/// use ascendcl::{Current, DeviceBuf, Npu, Result};
///
/// /// Gives numbers to another library as a matrix of two columns.
/// fn matrix<'dev>(
///     current: Current<'_, 'dev, Npu<0>>,
///     numbers: DeviceBuf<'dev, Npu<0>, [f32]>,
/// ) -> Result<ManagedTensor<'dev>> {
///     let rows = numbers.len() / 2;
///     current.to_dlpack(numbers, &[rows, 2])
/// }
/// ```
///
/// # Invariants
///
/// `raw` is a tensor with the major version 1, and its deleter was not called. Its memory may be used and the deleter
/// may be called during `'m`.
pub struct ManagedTensor<'m> {
    raw: NonNull<Managed>,
    _memory: PhantomData<&'m mut ()>,
}

impl<'m> ManagedTensor<'m> {
    /// Takes a tensor of another library: the address of a `DLManagedTensorVersioned`, which a capsule of Python with the name
    /// `dltensor_versioned` contains (`tensor.__dlpack__(max_version=(1, 0))`). A capsule with the name `dltensor` contains
    /// another structure, for [`from_legacy`](ManagedTensor::from_legacy).
    ///
    /// ```
    /// # ascendcl::example!(|acl, host, current| {
    /// # let numbers = current.memset(current.malloc::<f32>(4)?, 0)?;
    /// # let address = current.to_dlpack(numbers, &[4])?.into_raw();
    /// use ascendcl::dlpack::ManagedTensor;
    ///
    /// // SAFETY: a tensor that this program owns, over memory of the current device that nothing else uses.
    /// let tensor = unsafe { ManagedTensor::from_raw(address)? };
    /// assert_eq!(tensor.shape(), [4]);
    /// # });
    /// ```
    ///
    /// # Errors
    ///
    /// [`Usage::BorrowedNull`], and [`Usage::DlTensor`] for another major version than 1. Then its deleter was called.
    ///
    /// # Safety
    ///
    /// - The address is null, or that of a `DLManagedTensorVersioned` that the caller owns, with the memory that it describes.
    /// - The memory can be used, and the deleter can be called, during `'m` on this thread.
    pub unsafe fn from_raw(raw: *mut c_void) -> Result<ManagedTensor<'m>> {
        let raw = NonNull::new(raw.cast::<Managed>());
        let raw = raw.ok_or(Usage::BorrowedNull { what: "tensor" })?;
        // SAFETY: each version begins with its number. The address is valid (contract of this function).
        let major = unsafe { (*raw.as_ptr()).major };
        // INVARIANT: the contract of this function; another version is dropped at once, which reads the deleter only.
        let tensor = ManagedTensor {
            raw,
            _memory: PhantomData,
        };
        same("major version", major.into(), MAJOR.into())?;
        Ok(tensor)
    }

    /// Takes a tensor of a library that knows no DLPack 1: the address of a `DLManagedTensor`, which a capsule of Python with
    /// the name `dltensor` contains. It has no flags, so [`is_read_only`](ManagedTensor::is_read_only) returns false also for
    /// memory that must not be written.
    ///
    /// ```
    /// # ascendcl::example!(|acl, host, current| {
    /// # let numbers = current.memset(current.malloc::<f32>(4)?, 0)?;
    /// # let address = current.to_dlpack(numbers, &[4])?.into_legacy()?;
    /// use ascendcl::dlpack::ManagedTensor;
    ///
    /// // SAFETY: a tensor that this program owns, over memory of the current device that nothing else uses.
    /// let tensor = unsafe { ManagedTensor::from_legacy(address)? };
    /// assert_eq!(tensor.shape(), [4]);
    /// # });
    /// ```
    ///
    /// # Errors
    ///
    /// [`Usage::BorrowedNull`].
    ///
    /// # Safety
    ///
    /// - The address is null, or that of a `DLManagedTensor` that the caller owns, with the memory that it describes.
    /// - The memory can be used, and the deleter can be called, during `'m` on this thread.
    pub unsafe fn from_legacy(raw: *mut c_void) -> Result<ManagedTensor<'m>> {
        let raw = NonNull::new(raw.cast::<Legacy>());
        let raw = raw.ok_or(Usage::BorrowedNull { what: "tensor" })?;
        let managed = Managed {
            major: MAJOR,
            minor: MINOR,
            manager: raw.as_ptr().cast(),
            deleter: Some(delete_managed),
            flags: 0,
            // SAFETY: the address is valid (contract of this function).
            tensor: unsafe { (*raw.as_ptr()).tensor },
        };
        // INVARIANT: a tensor of this version, whose deleter calls that of the given one. The contract of this function has the
        // rest.
        Ok(ManagedTensor {
            raw: NonNull::from(Box::leak(Box::new(managed))),
            _memory: PhantomData,
        })
    }

    /// Returns the address of the `DLManagedTensorVersioned`, which remains with this value.
    ///
    /// ```
    /// # ascendcl::example!(|acl, host, current| {
    /// let numbers = current.malloc_host_from(host, &[1_u8, 2])?;
    /// let tensor = current.to_dlpack(numbers, &[2])?;
    /// assert!(!tensor.as_raw().is_null());
    /// # });
    /// ```
    #[must_use]
    pub fn as_raw(&self) -> *mut c_void {
        self.raw.as_ptr().cast()
    }

    /// Gives the tensor to another library, which calls its deleter when it has finished: before the memory, which is given or
    /// lent for `'m`, ends. Otherwise the memory leaks.
    ///
    /// ```
    /// # ascendcl::example!(|acl, host, current| {
    /// let numbers = current.memset(current.malloc::<f32>(4)?, 0)?;
    /// let address = current.to_dlpack(numbers, &[4])?.into_raw(); // for another library
    /// # // SAFETY: the tensor of this program.
    /// # drop(unsafe { ascendcl::dlpack::ManagedTensor::from_raw(address)? });
    /// # });
    /// ```
    #[must_use = "the memory leaks if nobody calls the deleter"]
    pub fn into_raw(self) -> *mut c_void {
        ManuallyDrop::new(self).as_raw()
    }

    /// Gives the tensor to a library that knows no DLPack 1, as [`into_raw`](ManagedTensor::into_raw) does: returns the address
    /// of a `DLManagedTensor`, which a capsule of Python with the name `dltensor` contains.
    ///
    /// ```
    /// # ascendcl::example!(|acl, host, current| {
    /// let numbers = current.memset(current.malloc::<f32>(4)?, 0)?;
    /// let address = current.to_dlpack(numbers, &[4])?.into_legacy()?; // for another library
    /// # #[repr(C)]
    /// # struct Legacy([u64; 7], unsafe extern "C" fn(*mut Legacy));
    /// # let legacy = address.cast::<Legacy>();
    /// # // SAFETY: the deleter is behind a `DLTensor` and a pointer.
    /// # let deleter = unsafe { (*legacy).1 };
    /// # // SAFETY: it is called once.
    /// # unsafe { deleter(legacy) };
    /// # });
    /// ```
    ///
    /// # Errors
    ///
    /// [`Usage::DlTensor`] for a tensor that [is read-only](ManagedTensor::is_read_only): this form cannot say it. The tensor was
    /// dropped then.
    pub fn into_legacy(self) -> Result<*mut c_void> {
        same("read-only flag", self.is_read_only().into(), 0)?;
        let tensor = self.managed().tensor;
        Ok(Box::into_raw(Box::new(Legacy {
            tensor,
            manager: self.into_raw(),
            deleter: Some(delete_legacy),
        }))
        .cast())
    }

    /// Returns the sizes of the dimensions, outermost first.
    ///
    /// ```
    /// # ascendcl::example!(|acl, host, current| {
    /// let numbers = current.malloc_host_from(host, &[1_u8, 2])?;
    /// assert_eq!(current.to_dlpack(numbers, &[1, 2])?.shape(), [1, 2]);
    /// # });
    /// ```
    #[must_use]
    pub fn shape(&self) -> &[i64] {
        // SAFETY: DLPack promises `rank` sizes.
        unsafe { part(self.managed().tensor.shape, self.managed().tensor.rank) }
    }

    /// Returns whether the memory must not be written (`DLPACK_FLAG_BITMASK_READ_ONLY`), as that of a lent
    /// [`Slice`].
    ///
    /// ```
    /// # ascendcl::example!(|acl, host, current| {
    /// let numbers = current.malloc_host_from(host, &[1_u8, 2])?;
    /// assert!(current.to_dlpack(numbers.slice(0..2)?, &[2])?.is_read_only());
    /// # });
    /// ```
    #[must_use]
    pub fn is_read_only(&self) -> bool {
        self.managed().flags & READ_ONLY != 0
    }

    fn managed(&self) -> &Managed {
        // SAFETY: a tensor of this version (invariant), which nobody writes while it is borrowed.
        unsafe { self.raw.as_ref() }
    }
}

impl Drop for ManagedTensor<'_> {
    fn drop(&mut self) {
        // SAFETY: a tensor whose deleter was not called (invariant). The deleter is at this place in each version.
        if let Some(deleter) = unsafe { (*self.raw.as_ptr()).deleter } {
            // SAFETY: DLPack promises that the deleter takes its own tensor, once.
            unsafe { deleter(self.raw.as_ptr()) };
        }
    }
}

impl fmt::Debug for ManagedTensor<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let shape = self.shape();
        f.debug_struct("ManagedTensor")
            .field("shape", &shape)
            .finish_non_exhaustive()
    }
}

/// `len` numbers, or none where the length or the address says so.
///
/// # Safety
///
/// The address is null, or has `len` numbers that live as long as the result.
unsafe fn part<'p>(numbers: *const i64, len: i32) -> &'p [i64] {
    match usize::try_from(len) {
        // SAFETY: the contract of this function.
        Ok(len) if !numbers.is_null() => unsafe { std::slice::from_raw_parts(numbers, len) },
        _ => &[],
    }
}

/// An error that names both numbers if they differ.
fn same(what: &'static str, found: i64, expected: i64) -> Result<()> {
    if found == expected {
        return Ok(());
    }
    Err(Usage::DlTensor {
        what,
        found,
        expected,
    }
    .into())
}

/// Memory that a tensor of DLPack is made of: a buffer, which is given, or a part of one, which is lent for `'m`.
#[diagnostic::on_unimplemented(
    message = "`{Self}` cannot be a tensor of DLPack on `{D}`",
    label = "expected initialised and idle memory with elements of operators: a `HostBuf`, a `DeviceBuf` of this device, or a part of one",
    note = "write fresh memory (`Uninit`) first; take queued memory back, `stream.synchronize()?.take(buffer)`; call it on the `Current` of the memory's device; pass a buffer by value to give it, or `buffer.slice(..)?` to lend it",
    note = "copy memory of a pool, of another library or at reserved addresses to a buffer of `current.malloc` first",
    note = "elements are numbers, `half::f16`, `half::bf16` and `op::Bool`, which stands for `bool`"
)]
pub trait ToDlpack<'m, D>: Sealed + 'm {
    /// The elements of the tensor.
    type Element: Element;

    #[doc(hidden)]
    const DEVICE: i32;
    #[doc(hidden)]
    const FLAGS: u64;

    #[doc(hidden)]
    fn elements(&self) -> *mut [Self::Element];
}

/// Lists the domains, and the forms of their memory that can be a tensor.
macro_rules! exported {
    ($($place:ty, $device:expr;)*) => { $(
        exported!($place, $device, Buf<'m, $place, E, Init>, 0, |memory| memory.as_raw());
        exported!($place, $device, Slice<'m, $place, E>, READ_ONLY, |memory| memory.raw().as_ptr());
        exported!($place, $device, SliceMut<'m, $place, E>, 0, |memory| memory.read().raw().as_ptr());
    )* };
    ($place:ty, $device:expr, $form:ty, $flags:expr, |$memory:ident| $start:expr) => {
        #[diagnostic::do_not_recommend]
        impl<'m, D: AnyDevice, E: Elements<Element: Element> + ?Sized> ToDlpack<'m, D> for $form
        where
            Self: 'm,
        {
            type Element = E::Element;
            const DEVICE: i32 = $device;
            const FLAGS: u64 = $flags;

            fn elements(&self) -> *mut [E::Element] {
                let $memory = self;
                std::ptr::slice_from_raw_parts_mut($start.cast(), self.len())
            }
        }
    };
}

exported! {
    Host, CPU;
    Dev<D>, ASCEND;
}

/// The code and the bits of an element type. Complex numbers and others are no [`Element`].
fn data_type<T: Element>() -> (u8, u8) {
    let code = match T::DATA_TYPE {
        sys::ACL_INT8 | sys::ACL_INT16 | sys::ACL_INT32 | sys::ACL_INT64 => 0,
        sys::ACL_UINT8 | sys::ACL_UINT16 | sys::ACL_UINT32 | sys::ACL_UINT64 => 1,
        sys::ACL_BF16 => 4,
        sys::ACL_BOOL => 6,
        _ => 2,
    };
    // No element has more than 64 bits.
    (code, (size_of::<T>() * 8) as u8)
}

impl<'dev, D: AnyDevice> Current<'_, 'dev, D> {
    /// Makes a tensor of DLPack of idle memory. A buffer is given: the tensor frees it. A [`Slice`](crate::memory::Slice) or
    /// [`SliceMut`](crate::memory::SliceMut) is lent, and the tensor of a `Slice` is read-only. Makes one call
    /// (`aclrtGetDevice`), and none for host memory.
    ///
    /// ```
    /// # ascendcl::example!(|acl, host, current| {
    /// let mut zeros = current.memset(current.malloc::<f32>(6)?, 0)?;
    /// let lent = current.to_dlpack(zeros.slice_mut(2..6)?, &[2, 2])?;
    /// drop(lent); // it borrows `zeros` until then
    /// let given = current.to_dlpack(zeros, &[6])?;
    /// drop(given); // frees the memory
    /// # });
    /// ```
    ///
    /// # Errors
    ///
    /// [`Usage::ShapeSize`] when the shape has another number of elements, and [`ErrorKind::Refused`]. A buffer was freed then.
    pub fn to_dlpack<'m, X: ToDlpack<'m, D>>(
        self,
        memory: X,
        shape: &[usize],
    ) -> Result<ManagedTensor<'m>> {
        let elements = memory.elements();
        let all = shape
            .iter()
            // DLPack has sizes of 63 bits.
            .try_fold(1, |all: usize, size| {
                let all = all.checked_mul(*size);
                all.filter(|_| isize::try_from(*size).is_ok())
            });
        if all != Some(elements.len()) {
            let all = all.unwrap_or(usize::MAX);
            return Err(Usage::shape_size(shape, all, elements.len()).into());
        }
        let device_id = if X::DEVICE == ASCEND { device_id()? } else { 0 };
        let sizes: Box<[i64]> = shape.iter().map(|size| *size as i64).collect();
        let mut strides = vec![1_i64; shape.len()].into_boxed_slice();
        let mut stride = 1;
        for (place, size) in strides.iter_mut().zip(&sizes).rev() {
            *place = stride;
            stride = stride.saturating_mul(*size);
        }
        let (code, bits) = data_type::<X::Element>();
        let managed = Managed {
            major: MAJOR,
            minor: MINOR,
            manager: std::ptr::null_mut(),
            deleter: Some(delete::<X>),
            flags: X::FLAGS,
            tensor: Described {
                data: elements.cast(),
                device_type: X::DEVICE,
                device_id,
                rank: shape.len() as i32,
                code,
                bits,
                lanes: 1,
                // These two are in boxes of their own, which do not move.
                shape: sizes.as_ptr(),
                strides: strides.as_ptr(),
                byte_offset: 0,
            },
        };
        let tensor = Box::new(Owned {
            managed,
            sizes,
            strides,
            owner: memory,
        });
        // INVARIANT: a tensor of this version, whose owner keeps its memory and can be dropped during `'m`.
        Ok(ManagedTensor {
            raw: NonNull::from(Box::leak(tensor)).cast(),
            _memory: PhantomData,
        })
    }

    /// Borrows the memory of a tensor on this device, as [`borrow_raw_memory`](Current::borrow_raw_memory) does. Makes one call
    /// (`aclrtGetDevice`).
    ///
    /// ```
    /// # ascendcl::example!(|acl, host, current| {
    /// # let numbers = current.memset(current.malloc::<f32>(4)?, 0)?;
    /// # let address = current.to_dlpack(numbers, &[4])?.into_raw();
    /// use ascendcl::dlpack::ManagedTensor;
    ///
    /// // SAFETY: a tensor that this program owns, over memory of the current device that nothing else uses.
    /// let tensor = unsafe { ManagedTensor::from_raw(address)? };
    /// // SAFETY: written elements, which nothing else uses.
    /// let numbers = unsafe { current.borrow_dlpack::<f32>(&tensor)? };
    /// assert_eq!(numbers.len(), 4);
    /// # });
    /// ```
    ///
    /// # Errors
    ///
    /// [`Usage::DlTensor`] when the tensor is on another device (its type is `kDLAscend` or, in libraries without that number,
    /// `kDLExtDev`), has elements of another type, or is not contiguous, and the
    /// errors of [`borrow_raw_memory`](Current::borrow_raw_memory).
    ///
    /// # Safety
    ///
    /// The contract of [`borrow_raw_memory`](Current::borrow_raw_memory) holds for the elements of the tensor. Memory that
    /// must not be written is only read here: [`is_read_only`](ManagedTensor::is_read_only) tells it of a tensor with a
    /// version.
    pub unsafe fn borrow_dlpack<'o, T: Element>(
        self,
        tensor: &'o ManagedTensor<'_>,
    ) -> Result<ForeignBuf<'o, D, [T]>>
    where
        'dev: 'o,
    {
        let managed = tensor.managed().tensor;
        if managed.device_type != EXT_DEV {
            same("device type", managed.device_type.into(), ASCEND.into())?;
        }
        same(
            "device number",
            managed.device_id.into(),
            device_id()?.into(),
        )?;
        let (code, bits) = data_type::<T>();
        const CODE: &str = "element type (0 int, 1 uint, 2 float, 4 bfloat, 5 complex, 6 bool)";
        same(CODE, managed.code.into(), code.into())?;
        same(
            "number of bits of an element",
            managed.bits.into(),
            bits.into(),
        )?;
        same("number of lanes of an element", managed.lanes.into(), 1)?;
        // SAFETY: DLPack promises as many strides as dimensions, or null.
        let strides = unsafe { part(managed.strides, managed.rank) };
        let shape = tensor.shape();
        let found = shape.len() as i64;
        same("number of dimensions", managed.rank.into(), found)?;
        let least = shape.iter().copied().min().unwrap_or(0).min(0);
        same("smallest dimension", least, 0)?;
        let mut len = 1_i64;
        for (dimension, size) in shape.iter().enumerate().rev() {
            // A dimension of one element has no neighbours, and neither has any where there are no elements.
            let has_neighbours = *size != 1 && !shape.contains(&0);
            if let Some(stride) = strides.get(dimension).filter(|_| has_neighbours) {
                same("stride of a contiguous dimension", *stride, len)?;
            }
            len = len.saturating_mul(*size);
        }
        let offset = usize::try_from(managed.byte_offset).unwrap_or(usize::MAX);
        let pointer = managed.data.cast::<u8>().wrapping_add(offset).cast();
        let len = usize::try_from(len).unwrap_or(usize::MAX);
        // SAFETY: the contract of this function is that of the call.
        unsafe { self.borrow_raw_memory(tensor, pointer, len) }
    }
}

/// The number of the device of this thread, which a `Current` has bound.
fn device_id() -> Result<i32> {
    let mut id = 0;
    // SAFETY: `id` is valid for a write of an i32.
    let code = unsafe { sys::aclrtGetDevice(&raw mut id) };
    check("aclrtGetDevice", code)?;
    Ok(id)
}
