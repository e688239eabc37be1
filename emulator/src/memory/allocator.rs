//! Descriptions of allocators of the program (`acl/acl_rt_allocator.h`), and their registration for streams.
//!
//! CANN takes the workspaces of operators of a stream from its allocator. The operators of the emulator need no memory
//! but that of their operands, so it only stores the registrations. As in the runtime, nothing checks the stream.

use std::ptr;

use ascendcl_sys::{
    ACL_SUCCESS, aclError, aclrtAllocator, aclrtAllocatorAllocAdviseFunc, aclrtAllocatorAllocFunc,
    aclrtAllocatorDesc, aclrtAllocatorFreeFunc, aclrtAllocatorGetAddrFromBlockFunc, aclrtStream,
};

use crate::error::null;
use crate::object_calls::{Objects, invalid, not_null, status, write};
use crate::sync::{Mutex, lock};

/// An allocator. Its object is a number here, because only the program uses it.
#[derive(Debug, Clone, Copy, Default)]
struct Described {
    object: usize,
    alloc: aclrtAllocatorAllocFunc,
    free: aclrtAllocatorFreeFunc,
    advise: aclrtAllocatorAllocAdviseFunc,
    address: aclrtAllocatorGetAddrFromBlockFunc,
}

static DESCRIPTIONS: Objects<Described> = Objects::new("aclrtAllocatorDesc", 0x7d);

/// The registered allocators: the stream, the description, and its content at the registration.
static REGISTERED: Mutex<Vec<(usize, usize, Described)>> = Mutex::new(Vec::new());

pub(crate) unsafe extern "C" fn aclrtAllocatorCreateDesc() -> aclrtAllocatorDesc {
    DESCRIPTIONS.create("aclrtAllocatorCreateDesc", Described::default())
}

pub(crate) unsafe extern "C" fn aclrtAllocatorDestroyDesc(
    allocatorDesc: aclrtAllocatorDesc,
) -> aclError {
    DESCRIPTIONS.destroy("aclrtAllocatorDestroyDesc", "allocatorDesc", allocatorDesc)
}

pub(crate) unsafe extern "C" fn aclrtAllocatorSetObjToDesc(
    allocatorDesc: aclrtAllocatorDesc,
    allocator: aclrtAllocator,
) -> aclError {
    let call = "aclrtAllocatorSetObjToDesc";
    let set = not_null(call, "allocatorDesc", allocatorDesc).and_then(|()| {
        not_null(call, "allocator", allocator)?;
        // The program gets its own address back.
        let object = allocator.expose_provenance();
        DESCRIPTIONS.with(call, "allocatorDesc", allocatorDesc, &mut |of| {
            of.object = object
        })
    });
    status(set)
}

/// Defines the functions that set one function of a description.
macro_rules! setters {
    ($( $name:ident $field:ident: $type:ty; )*) => { $(
        pub(crate) unsafe extern "C" fn $name(allocatorDesc: aclrtAllocatorDesc, func: $type) -> aclError {
            let call = stringify!($name);
            let set = not_null(call, "allocatorDesc", allocatorDesc).and_then(|()| {
                if func.is_none() {
                    return Err(null(call, "func"));
                }
                DESCRIPTIONS.with(call, "allocatorDesc", allocatorDesc, &mut |of| of.$field = func)
            });
            status(set)
        }
    )* };
}

setters! {
    aclrtAllocatorSetAllocFuncToDesc alloc: aclrtAllocatorAllocFunc;
    aclrtAllocatorSetFreeFuncToDesc free: aclrtAllocatorFreeFunc;
    aclrtAllocatorSetAllocAdviseFuncToDesc advise: aclrtAllocatorAllocAdviseFunc;
    aclrtAllocatorSetGetAddrFromBlockFuncToDesc address: aclrtAllocatorGetAddrFromBlockFunc;
}

/// Stores the allocator of a stream. One may lack the function that takes advice.
pub(crate) unsafe extern "C" fn aclrtAllocatorRegister(
    stream: aclrtStream,
    allocatorDesc: aclrtAllocatorDesc,
) -> aclError {
    let call = "aclrtAllocatorRegister";
    let registered = not_null(call, "stream", stream).and_then(|()| {
        let described = DESCRIPTIONS.get(call, "allocatorDesc", allocatorDesc)?;
        let Described {
            object,
            alloc,
            free,
            address,
            ..
        } = described;
        if object == 0 || alloc.is_none() || free.is_none() || address.is_none() {
            return Err(null(call, "the object or a function of allocatorDesc"));
        }
        unregister(stream);
        lock(&REGISTERED).push((stream.addr(), allocatorDesc.addr(), described));
        Ok(())
    });
    status(registered)
}

pub(crate) unsafe extern "C" fn aclrtAllocatorUnregister(stream: aclrtStream) -> aclError {
    let call = "aclrtAllocatorUnregister";
    status(not_null(call, "stream", stream).map(|()| unregister(stream)))
}

/// Removes the allocator of a stream.
fn unregister(stream: aclrtStream) {
    lock(&REGISTERED).retain(|(of, ..)| *of != stream.addr());
}

pub(crate) unsafe extern "C" fn aclrtAllocatorGetByStream(
    stream: aclrtStream,
    allocatorDesc: *mut aclrtAllocatorDesc,
    allocator: *mut aclrtAllocator,
    allocFunc: *mut aclrtAllocatorAllocFunc,
    freeFunc: *mut aclrtAllocatorFreeFunc,
    allocAdviseFunc: *mut aclrtAllocatorAllocAdviseFunc,
    getAddrFromBlockFunc: *mut aclrtAllocatorGetAddrFromBlockFunc,
) -> aclError {
    let call = "aclrtAllocatorGetByStream";
    if allocatorDesc.is_null() || stream.is_null() {
        return null(call, "allocatorDesc or stream");
    }
    let registered = lock(&REGISTERED);
    let found = registered.iter().find(|(of, ..)| *of == stream.addr());
    let Some((_, description, described)) = found else {
        return invalid(call, format_args!("the stream {stream:p} has no allocator"));
    };
    // SAFETY: not null; the caller's contract: valid for a write.
    unsafe { write(allocatorDesc, ptr::without_provenance_mut(*description)) };
    let object = ptr::with_exposed_provenance_mut(described.object);
    // SAFETY: the caller's contract: null or valid for a write.
    unsafe { tell(allocator, object) };
    // SAFETY: the caller's contract: null or valid for a write.
    unsafe { tell(allocFunc, described.alloc) };
    // SAFETY: the caller's contract: null or valid for a write.
    unsafe { tell(freeFunc, described.free) };
    // SAFETY: the caller's contract: null or valid for a write.
    unsafe { tell(allocAdviseFunc, described.advise) };
    // SAFETY: the caller's contract: null or valid for a write.
    unsafe { tell(getAddrFromBlockFunc, described.address) };
    ACL_SUCCESS
}

/// Writes an answer, if the program asks for it.
///
/// # Safety
///
/// - `place` is null or valid for a write.
unsafe fn tell<T>(place: *mut T, value: T) {
    if !place.is_null() {
        // SAFETY: not null; the caller's contract.
        unsafe { write(place, value) };
    }
}
