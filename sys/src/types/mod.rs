//! Handles and enumerations of AscendCL, under their C names.
//!
//! An enumeration is a newtype over the integer that C passes, not a Rust `enum`. So every number is a valid value,
//! also one that a future runtime returns.

use core::ffi::{c_char, c_int, c_void};

/// Status code of a call; 0 is success. The codes are in [`status`](crate::status).
pub type aclError = c_int;
/// Status code of an operator call; 0 is success.
pub type aclnnStatus = i32;
/// A stream; null is the default stream of the current context.
pub type aclrtStream = *mut c_void;
/// An event.
pub type aclrtEvent = *mut c_void;
/// A context.
pub type aclrtContext = *mut c_void;
/// A model instance.
pub type aclmdlRI = *mut c_void;
/// A task of a model instance.
pub type aclmdlRITask = *mut c_void;
/// A condition of a model instance.
pub type aclmdlRICondHandle = *mut c_void;
/// A group of captured tasks.
pub type aclrtTaskGrp = *mut c_void;
/// A handle of physical memory.
pub type aclrtDrvMemHandle = *mut c_void;
/// A notify: a signal from one stream to one other.
pub type aclrtNotify = *mut c_void;
/// A counting notify: a signal with a counter.
pub type aclrtCntNotify = *mut c_void;
/// A label: a place in a stream of a model instance.
pub type aclrtLabel = *mut c_void;
/// A list of labels.
pub type aclrtLabelList = *mut c_void;
/// A buffer of a queue.
pub type aclrtMbuf = *mut c_void;
/// A pool of memory.
pub type aclrtMemPool = *mut c_void;
/// A description of an allocator.
pub type aclrtAllocatorDesc = *mut c_void;
/// An allocator that the program implements.
pub type aclrtAllocator = *mut c_void;
/// A block of an allocator that the program implements.
pub type aclrtAllocatorBlock = *mut c_void;
/// An address in a block of an allocator.
pub type aclrtAllocatorAddr = *mut c_void;
/// A kernel binary in host memory.
pub type aclrtBinary = *mut c_void;
/// A kernel binary that was loaded.
pub type aclrtBinHandle = *mut c_void;
/// A kernel.
pub type aclrtFuncHandle = *mut c_void;
/// A list of arguments for a kernel.
pub type aclrtArgsHandle = *mut c_void;
/// An argument of a kernel.
pub type aclrtParamHandle = *mut c_void;
/// A function that a subscribed thread runs in stream order.
pub type aclrtCallback = Option<unsafe extern "C" fn(userData: *mut c_void)>;
/// A function that the runtime's own thread runs in stream order.
pub type aclrtHostFunc = Option<unsafe extern "C" fn(args: *mut c_void)>;
/// A function that learns when a device is set or reset.
pub type aclrtDeviceStateCallback =
    Option<unsafe extern "C" fn(deviceId: i32, state: aclrtDeviceState, args: *mut c_void)>;
/// A function that learns when a stream is created or destroyed.
pub type aclrtStreamStateCallback =
    Option<unsafe extern "C" fn(stm: aclrtStream, state: aclrtStreamState, args: *mut c_void)>;
/// A function that learns when the tasks of a device are dropped.
pub type aclrtDeviceTaskAbortCallback = Option<
    unsafe extern "C" fn(
        deviceId: i32,
        stage: aclrtDeviceTaskAbortStage,
        timeout: u32,
        args: *mut c_void,
    ) -> i32,
>;
/// A function for a stage of a snapshot.
pub type aclrtSnapShotCallBack =
    Option<unsafe extern "C" fn(deviceId: i32, args: *mut c_void) -> u32>;
/// A function for the time of initialisation.
pub type aclInitCallbackFunc = Option<
    unsafe extern "C" fn(configStr: *const c_char, len: usize, userData: *mut c_void) -> aclError,
>;
/// A function for the time of finalising.
pub type aclFinalizeCallbackFunc = Option<unsafe extern "C" fn(userData: *mut c_void) -> aclError>;
/// The function of an allocator that allocates.
pub type aclrtAllocatorAllocFunc =
    Option<unsafe extern "C" fn(allocator: aclrtAllocator, size: usize) -> *mut c_void>;
/// The function of an allocator that frees.
pub type aclrtAllocatorFreeFunc =
    Option<unsafe extern "C" fn(allocator: aclrtAllocator, block: aclrtAllocatorBlock)>;
/// The function of an allocator that allocates near an address.
pub type aclrtAllocatorAllocAdviseFunc = Option<
    unsafe extern "C" fn(
        allocator: aclrtAllocator,
        size: usize,
        addr: aclrtAllocatorAddr,
    ) -> *mut c_void,
>;
/// The function of an allocator that returns the address of a block.
pub type aclrtAllocatorGetAddrFromBlockFunc =
    Option<unsafe extern "C" fn(block: aclrtAllocatorBlock) -> *mut c_void>;
/// A half-precision number as its bits.
pub type aclFloat16 = u16;

/// Declares C enumerations as newtypes with their named values.
macro_rules! enumeration {
    ($( $(#[$doc:meta])* $name:ident: $repr:ty { $( $(#[$vdoc:meta])* $value:ident = $number:expr ),* $(,)? } )*) => {$(
        $(#[$doc])*
        #[repr(transparent)]
        #[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
        pub struct $name(pub $repr);

        $( $(#[$vdoc])* #[doc = concat!("`", stringify!($value), "` of [`", stringify!($name), "`].")]
           pub const $value: $name = $name($number); )*

        impl core::fmt::Debug for $name {
            fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
                $( if self.0 == $number { return f.write_str(stringify!($value)); } )*
                write!(f, concat!(stringify!($name), "({})"), self.0)
            }
        }
    )*};
}

pub use callback::*;
pub use collective::*;
pub use device::*;
pub use event::*;
pub use graph::*;
pub use media::*;
pub use memory::*;
pub use model::*;
pub use op::*;
pub use profiling::*;
pub use runtime::*;
pub use stream::*;

mod callback;
mod collective;
mod device;
mod event;
mod graph;
mod media;
mod memory;
mod model;
mod op;
mod profiling;
mod runtime;
mod stream;
