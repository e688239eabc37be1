//! The raw launch of AscendCL, the reference for the launches of this project.

use std::error::Error;
use std::ffi::{c_int, c_uint, c_void};
use std::hint::black_box;
use std::ptr::{null_mut, without_provenance_mut};

use crate::{BLOCKS, COUNT, Counting, FACTOR, ok};

/// The function, its blocks, the stream, options, the arguments and their bytes, and places in them.
type Launch = unsafe extern "C" fn(
    *mut c_void,
    c_uint,
    *mut c_void,
    *mut c_void,
    *mut c_void,
    usize,
    *mut c_void,
    usize,
) -> c_int;

/// The arguments of `saxpy(x, y, a, n)`, as C packs them.
#[repr(C)]
struct Arguments {
    x: *mut c_void,
    y: *mut c_void,
    a: f32,
    n: u32,
}

/// The function of the library, handles and addresses in memory, as a C program has them.
pub struct RawLaunch {
    launch: Launch,
    function: *mut c_void,
    stream: *mut c_void,
    x: *mut c_void,
    y: *mut c_void,
}

impl RawLaunch {
    pub fn new(library: &Counting) -> Result<RawLaunch, Box<dyn Error>> {
        Ok(RawLaunch {
            // SAFETY: the type of the function.
            launch: unsafe { library.function("aclrtLaunchKernelWithHostArgs")? },
            stream: without_provenance_mut(0x1000),
            x: without_provenance_mut(0x4000),
            y: without_provenance_mut(0x5000),
            function: without_provenance_mut(0x6000),
        })
    }

    #[inline]
    pub fn launch(&self) {
        let raw = black_box(self);
        let mut arguments = Arguments {
            x: raw.x,
            y: raw.y,
            a: FACTOR,
            n: COUNT,
        };
        // SAFETY: the library only counts.
        ok(unsafe {
            (raw.launch)(
                raw.function,
                BLOCKS,
                raw.stream,
                null_mut(),
                (&raw mut arguments).cast(),
                size_of::<Arguments>(),
                null_mut(),
                0,
            )
        });
    }
}
