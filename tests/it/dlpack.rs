//! Tensors of DLPack: what another library reads of one, which memory it keeps alive, and which tensors are refused.

use std::ffi::c_void;
use std::ptr;
use std::sync::atomic::{AtomicUsize, Ordering};

use ascendcl::dlpack::ManagedTensor;
use ascendcl::error::Usage;
use ascendcl::op::Bool;
use ascendcl::{Npu, sys};

use crate::common::{acl, calls, host, isolated, usage};

type D = Npu<0>;

/// The structures of `dlpack/dlpack.h` 1, as another library declares them.
#[repr(C)]
#[derive(Clone, Copy)]
struct Tensor {
    data: *mut c_void,
    device: [i32; 2],
    ndim: i32,
    dtype: (u8, u8, u16),
    shape: *const i64,
    strides: *const i64,
    byte_offset: u64,
}

#[repr(C)]
struct Versioned {
    version: [u32; 2],
    manager_ctx: *mut c_void,
    deleter: Option<unsafe extern "C" fn(*mut Versioned)>,
    flags: u64,
    tensor: Tensor,
}

/// `DLManagedTensor`, which the libraries before DLPack 1 take.
#[repr(C)]
struct Legacy {
    tensor: Tensor,
    manager_ctx: *mut c_void,
    deleter: Option<unsafe extern "C" fn(*mut Legacy)>,
}

/// Calls the deleter of a tensor of the older form, as a library does that is done with it.
///
/// # Safety
///
/// The address is that of [`ManagedTensor::into_legacy`], and is not used any more.
unsafe fn release(address: *mut c_void) {
    let tensor = address.cast::<Legacy>();
    // SAFETY: the contract of this function.
    let deleter = unsafe { (*tensor).deleter }.unwrap();
    // SAFETY: the contract of this function: it is called once.
    unsafe { deleter(tensor) };
}

/// How often the deleter of the other library ran.
static DELETED: AtomicUsize = AtomicUsize::new(0);

unsafe extern "C" fn count(_: *mut Versioned) {
    DELETED.fetch_add(1, Ordering::Relaxed);
}

unsafe extern "C" fn count_legacy(_: *mut Legacy) {
    DELETED.fetch_add(1, Ordering::Relaxed);
}

/// What another library reads.
fn read<'t>(tensor: &'t ManagedTensor<'_>) -> &'t Versioned {
    // SAFETY: a tensor of version 1, which lives as long as the result.
    unsafe { &*tensor.as_raw().cast() }
}

fn numbers(of: *const i64, len: usize) -> Vec<i64> {
    // SAFETY: DLPack promises as many numbers as dimensions.
    unsafe { std::slice::from_raw_parts(of, len) }.to_vec()
}

isolated! {
    ["ASCENDCL_EMULATOR_CHECK" = "leaks"]
    fn another_library_reads_what_was_lent_and_given() {
        let acl = acl();
        acl.on::<D, _>(1, |current| {
            let mut words = current.malloc_host_from(host(&acl), &[1_u16, 2, 3, 4, 5, 6])?;
            {
                let tensor = current.to_dlpack(words.slice_mut(1..5)?, &[2, 2])?;
                let Versioned { version, flags, tensor: seen, .. } = read(&tensor);
                assert_eq!((version[0], *flags, tensor.is_read_only()), (1, 0, false));
                assert_eq!((seen.device, seen.ndim, seen.dtype, seen.byte_offset), ([1, 0], 2, (1, 16, 1), 0));
                assert_eq!((numbers(seen.shape, 2), numbers(seen.strides, 2)), (vec![2, 2], vec![2, 1]));
                let second = seen.data.cast::<u16>().wrapping_add(1);
                // SAFETY: the second of four lent elements.
                unsafe { second.write(30) };
            }
            assert_eq!(words[..], [1, 2, 30, 4, 5, 6]);
            assert_eq!(read(&current.to_dlpack(words.slice(0..6)?, &[1, 6, 1])?).flags, 1);

            let masks = current.memset(current.malloc::<Bool>(24)?, 1)?;
            let address = masks.as_raw().cast();
            let tensor = current.to_dlpack(masks, &[2, 3, 4])?;
            let seen = &read(&tensor).tensor;
            assert_eq!((seen.data, seen.device, seen.dtype), (address, [21, 1], (6, 8, 1)));
            assert_eq!(numbers(seen.strides, 3), [12, 4, 1]);
            assert_eq!(tensor.shape(), [2, 3, 4]);
            assert_eq!(format!("{tensor:?}"), "ManagedTensor { shape: [2, 3, 4], .. }");

            // A tensor without dimensions has one element.
            let one = current.memset(current.malloc::<i64>(1)?, 0)?;
            let one = current.to_dlpack(one, &[])?;
            assert_eq!((one.shape(), read(&one).tensor.dtype), (&[][..], (0, 64, 1)));
            Ok(())
        })
        .unwrap();
    }
}

isolated! {
    ["ASCENDCL_BACKEND" = "emulator"]
    fn memory_is_freed_by_the_tensor_that_it_was_given_to_and_by_nothing_else() {
        let acl = crate::common::acl_with_journal();
        acl.on::<D, _>(0, |current| {
            let mut floats = current.memset(current.malloc::<f32>(8)?, 0)?;
            drop(current.to_dlpack(floats.slice(0..8)?, &[8])?);
            drop(current.to_dlpack(floats.slice_mut(0..4)?, &[4])?);
            assert_eq!(calls("aclrtFree"), 0);
            let raw = current.to_dlpack(floats, &[8])?.into_raw();
            assert_eq!(calls("aclrtFree"), 0);
            // The other library has finished, and calls the deleter once, on a thread of its own.
            let raw = raw.expose_provenance();
            std::thread::spawn(move || {
                let raw: *mut Versioned = ptr::with_exposed_provenance_mut(raw);
                // SAFETY: the tensor that was given to this thread, and whose deleter was not called.
                let deleter = unsafe { (*raw).deleter }.unwrap();
                // SAFETY: the tensor of this deleter, which is called once.
                unsafe { deleter(raw) };
            })
            .join()
            .unwrap();
            assert_eq!(calls("aclrtFree"), 1);

            let bytes = current.memset(current.malloc::<u8>(8)?, 0)?;
            let wrong = usage(current.to_dlpack(bytes, &[3, 3]));
            assert_eq!(wrong, Usage::ShapeSize { shape: vec![3, 3], elements: 9, len: 8 });
            assert_eq!(calls("aclrtFree"), 2);
            let few = current.malloc_host_from(host(&acl), &[0_u8; 8])?;
            let wrong = usage(current.to_dlpack(few, &[usize::MAX, 2]));
            assert!(matches!(wrong, Usage::ShapeSize { elements: usize::MAX, .. }), "{wrong:?}");
            // No size of DLPack is that large, also beside 0.
            let none = current.malloc_host_from(host(&acl), &[0_u8; 8])?;
            for shape in [[usize::MAX, 0], [0, 1 << 63]] {
                let wrong = usage(current.to_dlpack(none.slice(0..0)?, &shape));
                assert!(matches!(wrong, Usage::ShapeSize { len: 0, .. }), "{wrong:?}");
            }
            assert_eq!(current.to_dlpack(none.slice(0..0)?, &[3, 0])?.shape(), [3, 0]);
            Ok(())
        })
        .unwrap();
    }
}

isolated! {
    ["ASCENDCL_BACKEND" = "emulator", "ASCENDCL_EMULATOR_CHECK" = "leaks"]
    fn a_library_before_the_first_version_gets_what_it_can_say() {
        let acl = crate::common::acl_with_journal();
        acl.on::<D, _>(0, |current| {
            let floats = current.memset(current.malloc::<f32>(6)?, 0)?;
            let numbers_at = floats.as_raw().cast();
            let address = current.to_dlpack(floats, &[2, 3])?.into_legacy()?;
            // SAFETY: the tensor that was given to this library.
            let Legacy { tensor: seen, .. } = unsafe { &*address.cast::<Legacy>() };
            assert_eq!((seen.data, seen.device, seen.dtype), (numbers_at, [21, 0], (2, 32, 1)));
            assert_eq!((numbers(seen.shape, 2), numbers(seen.strides, 2)), (vec![2, 3], vec![3, 1]));
            assert_eq!(calls("aclrtFree"), 0);
            // SAFETY: the address of `into_legacy`, which is not used any more.
            unsafe { release(address) };
            assert_eq!(calls("aclrtFree"), 1);

            let bytes = current.memset(current.malloc::<u8>(8)?, 0)?;
            let wrong = usage(current.to_dlpack(bytes.slice(0..8)?, &[8])?.into_legacy());
            assert_eq!(wrong, Usage::DlTensor { what: "read-only flag", found: 1, expected: 0 });
            bytes.free()
        })
        .unwrap();
    }
}

isolated! {
    ["ASCENDCL_EMULATOR_CHECK" = "leaks"]
    fn a_tensor_of_a_library_before_the_first_version_is_taken() {
        let acl = acl();
        acl.on::<D, _>(0, |current| {
            let ones = current.memset(current.malloc::<u8>(128)?, 1)?;
            let (shape, strides) = ([2_i64, 16], [16_i64, 1]);
            let mut given = Legacy {
                tensor: Tensor {
                    data: ones.as_raw().cast(),
                    device: [21, 0],
                    ndim: 2,
                    dtype: (1, 8, 1),
                    shape: shape.as_ptr(),
                    strides: strides.as_ptr(),
                    byte_offset: 64,
                },
                manager_ctx: ptr::null_mut(),
                deleter: Some(count_legacy),
            };
            let mut take = || {
                // SAFETY: a tensor over memory that lives until the end of the test. Its deleter frees nothing.
                unsafe { ManagedTensor::from_legacy((&raw mut given).cast()) }
            };
            let tensor = take()?;
            assert_eq!((tensor.shape(), tensor.is_read_only()), (&shape[..], false));
            // SAFETY: written elements, which nothing else uses.
            let bytes = unsafe { current.borrow_dlpack::<u8>(&tensor)? };
            let mut back = current.malloc_host::<u8>(host(&acl), bytes.len())?;
            current.memcpy(&mut back, &bytes)?;
            assert_eq!(back[..], [1; 32]);
            // SAFETY: as above; what the tensor holds is refused.
            let wrong = usage(unsafe { current.borrow_dlpack::<f32>(&tensor) });
            assert_eq!(wrong, Usage::DlTensor { what: "element type (0 int, 1 uint, 2 float, 4 bfloat, 5 complex, 6 bool)", found: 1, expected: 2 });
            assert_eq!(DELETED.load(Ordering::Relaxed), 0);
            drop(bytes);
            drop(tensor);
            assert_eq!(DELETED.load(Ordering::Relaxed), 1);

            // It goes on to other libraries in both forms, and is released once by the last one.
            let versioned = take()?.into_raw();
            // SAFETY: the address of `into_raw`, which is not used any more.
            let older = unsafe { ManagedTensor::from_raw(versioned) }?.into_legacy()?;
            assert_eq!(DELETED.load(Ordering::Relaxed), 1);
            // SAFETY: the address of `into_legacy`, which is not used any more.
            unsafe { release(older) };
            assert_eq!(DELETED.load(Ordering::Relaxed), 2);

            // A tensor without a deleter is one that nobody has to release.
            given.deleter = None;
            // SAFETY: as above.
            drop(unsafe { ManagedTensor::from_legacy((&raw mut given).cast())? });
            assert_eq!(DELETED.load(Ordering::Relaxed), 2);
            // SAFETY: null is refused.
            let none = unsafe { ManagedTensor::from_legacy(ptr::null_mut()) };
            assert_eq!(usage(none), Usage::BorrowedNull { what: "tensor" });
            ones.free()
        })
        .unwrap();
    }
}

isolated! {
    ["ASCENDCL_EMULATOR_CHECK" = "leaks"]
    fn memory_of_another_library_is_borrowed_and_never_freed() {
        let acl = acl();
        acl.on::<D, _>(1, |current| {
            let mut memory = ptr::null_mut();
            // SAFETY: valid for a write of an address.
            let code = unsafe { sys::aclrtMalloc(&raw mut memory, 256, sys::ACL_MEM_MALLOC_HUGE_FIRST) };
            assert_eq!(code, sys::ACL_SUCCESS);
            // SAFETY: memory of 256 bytes.
            assert_eq!(unsafe { sys::aclrtMemset(memory, 256, 0, 256) }, sys::ACL_SUCCESS);
            let shape = [2_i64, 1, 8];
            let strides = [8_i64, 100, 1];
            let right = Tensor {
                data: memory,
                device: [21, 1],
                ndim: 3,
                dtype: (2, 32, 1),
                shape: shape.as_ptr(),
                strides: strides.as_ptr(),
                byte_offset: 64,
            };
            let borrow = |tensor: Tensor, version: u32, check: &mut dyn FnMut(ascendcl::Result<usize>)| {
                let mut versioned = Versioned {
                    version: [version, 0],
                    manager_ctx: ptr::null_mut(),
                    deleter: Some(count),
                    flags: 0,
                    tensor,
                };
                // SAFETY: a tensor over memory that lives until the end of the test. Its deleter frees nothing.
                let taken = unsafe { ManagedTensor::from_raw((&raw mut versioned).cast()) };
                check(taken.and_then(|taken| {
                    // SAFETY: written elements, which nothing else uses.
                    let floats = unsafe { current.borrow_dlpack::<f32>(&taken)? };
                    let mut floats = floats;
                    current.memset(&mut floats, 1)?;
                    let mut back = current.malloc_host::<f32>(host(&acl), floats.len())?;
                    current.memcpy(&mut back, &floats)?;
                    assert!(back.iter().all(|number| number.to_bits() == 0x0101_0101));
                    Ok(floats.len())
                }));
            };
            borrow(right, 1, &mut |len| assert_eq!(len.unwrap(), 16));
            borrow(Tensor { strides: ptr::null(), ..right }, 1, &mut |len| assert_eq!(len.unwrap(), 16));
            borrow(Tensor { device: [12, 1], ..right }, 1, &mut |len| assert_eq!(len.unwrap(), 16));
            assert_eq!(DELETED.load(Ordering::Relaxed), 3);
            let negative = [-1_i64, -2, -8];
            let gaps = [16_i64, 100, 1];
            // Libraries give an array without elements strides as if its sizes of 0 were 1.
            let (empty, ones) = ([3_i64, 0, 1], [1_i64, 1, 1]);
            for (wrong, version, words) in [
                (right, 2, "the major version of this DLPack tensor is 2, not 1"),
                (Tensor { device: [2, 1], ..right }, 1, "the device type of this DLPack tensor is 2, not 21"),
                (Tensor { device: [21, 0], ..right }, 1, "the device number of this DLPack tensor is 0, not 1"),
                (Tensor { dtype: (0, 32, 1), ..right }, 1, "the element type (0 int, 1 uint, 2 float, 4 bfloat, 5 complex, 6 bool) of this DLPack tensor is 0, not 2"),
                (Tensor { dtype: (2, 16, 1), ..right }, 1, "the number of bits of an element of this DLPack tensor is 16, not 32"),
                (Tensor { dtype: (2, 32, 4), ..right }, 1, "the number of lanes of an element of this DLPack tensor is 4, not 1"),
                (Tensor { strides: gaps.as_ptr(), ..right }, 1, "the stride of a contiguous dimension of this DLPack tensor is 16, not 8"),
                (Tensor { shape: negative.as_ptr(), ..right }, 1, "the smallest dimension of this DLPack tensor is -8, not 0"),
                (Tensor { shape: ptr::null(), ..right }, 1, "the number of dimensions of this DLPack tensor is 3, not 0"),
                (Tensor { shape: empty.as_ptr(), strides: ones.as_ptr(), ..right }, 1, "an allocation of zero bytes"),
                (Tensor { byte_offset: 4, ..right }, 1, "begins at a multiple of 64 bytes"),
                (Tensor { data: ptr::null_mut(), byte_offset: 0, ..right }, 1, "null is no memory"),
            ] {
                borrow(wrong, version, &mut |len| {
                    let said = len.unwrap_err().to_string();
                    assert!(said.contains(words), "{said}");
                });
            }
            // Each tensor was released, the refused ones too.
            assert_eq!(DELETED.load(Ordering::Relaxed), 15);
            // SAFETY: null is refused.
            let none = unsafe { ManagedTensor::from_raw(ptr::null_mut()) };
            assert_eq!(usage(none), Usage::BorrowedNull { what: "tensor" });
            // SAFETY: the memory of this test.
            assert_eq!(unsafe { sys::aclrtFree(memory) }, sys::ACL_SUCCESS);
            Ok(())
        })
        .unwrap();
    }
}

isolated! {
    ["ASCENDCL_BACKEND" = "emulator", "ASCENDCL_EMULATOR_FAULTS" = "aclrtGetDevice#1=107002"]
    fn memory_is_freed_where_the_number_of_the_device_is_refused() {
        let acl = crate::common::acl_with_journal();
        acl.on::<D, _>(0, |current| {
            let floats = current.memset(current.malloc::<f32>(8)?, 0)?;
            crate::common::assert_refused(current.to_dlpack(floats, &[8]), 107_002);
            assert_eq!(calls("aclrtFree"), 1);
            let floats = current.memset(current.malloc::<f32>(8)?, 0)?;
            drop(current.to_dlpack(floats, &[8])?);
            assert_eq!(calls("aclrtFree"), 2);
            Ok(())
        })
        .unwrap();
    }
}
