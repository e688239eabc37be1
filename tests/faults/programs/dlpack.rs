//! Tensors of DLPack: memory that is given and lent, deleted by either form of the deleter, borrowed again, and of a wrong shape.

use std::ffi::c_void;

use ascendcl::dlpack::ManagedTensor;
use ascendcl::{Acl, Npu, Result};

/// `DLManagedTensor`: the deleter is behind the tensor and a pointer.
#[repr(C)]
struct Legacy([u64; 7], unsafe extern "C" fn(*mut Legacy));

/// Does what a library does with a tensor of the older form.
///
/// # Safety
///
/// The address is that of [`ManagedTensor::into_legacy`], which nothing else uses.
unsafe fn delete(address: *mut c_void) {
    let tensor = address.cast::<Legacy>();
    // SAFETY: the contract of this function.
    let deleter = unsafe { (*tensor).1 };
    // SAFETY: as above. It is called once.
    unsafe { deleter(tensor) };
}

fn main() -> Result<()> {
    let acl = Acl::from_env()?;
    let host = acl.host()?;
    acl.on::<Npu<0>, _>(0, |current| {
        let mut whole = current.memset(current.malloc::<f32>(64)?, 1)?;
        let lent = current.to_dlpack(whole.slice_mut(16..48)?, &[4, 8])?;
        drop(lent);
        let refused = current.to_dlpack(whole.slice(0..16)?, &[3]).is_err();
        assert!(refused, "a wrong shape");
        let given = current.to_dlpack(whole, &[64])?.into_raw();
        // SAFETY: the tensor of the line above, whose memory is that of the current device.
        let given = unsafe { ManagedTensor::from_raw(given)? };
        // SAFETY: the program wrote its elements, and nothing else uses them.
        let mut memory = unsafe { current.borrow_dlpack::<f32>(&given)? };
        current.memset(&mut memory, 2)?;
        let mut back = current.malloc_host::<f32>(host, 64)?;
        current.memcpy(&mut back, &memory)?;
        drop(memory);
        drop(given);
        let old = current.to_dlpack(back, &[8, 8])?.into_legacy()?;
        // SAFETY: the tensor of the line above.
        unsafe { delete(old) };
        let table = current.memset(current.malloc::<u8>(32)?, 0)?;
        let old = current.to_dlpack(table, &[32])?.into_legacy()?;
        // SAFETY: the tensor of the line above.
        let tensor = unsafe { ManagedTensor::from_legacy(old)? };
        // SAFETY: the program wrote its elements, and nothing else uses them.
        let memory = unsafe { current.borrow_dlpack::<u8>(&tensor)? };
        let mut bytes = current.malloc_host::<u8>(host, 32)?;
        current.memcpy(&mut bytes, &memory)
    })
}
