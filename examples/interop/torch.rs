//! The other library: a device, a stream and tensors, by plain calls of C.

use std::error::Error;
use std::ffi::c_void;
use std::ptr;

use ascendcl::sys;

type Result<T> = std::result::Result<T, Box<dyn Error>>;

/// The state of the library while it is in use.
pub(crate) struct Library {
    stream: sys::aclrtStream,
}

/// Numbers in device memory.
pub(crate) struct Tensor {
    data: *mut c_void,
    len: usize,
}

/// Makes a call of C and checks its status.
macro_rules! call {
    ($function:ident($($argument:expr),*)) => {
        // SAFETY: handles and memory of this library, alive; its context is current on the thread.
        match unsafe { sys::$function($($argument),*) } {
            sys::ACL_SUCCESS => {}
            code => return Err(format!("torch: {} failed with {code}", stringify!($function)).into()),
        }
    };
}

impl Library {
    /// Opens device 0.
    pub(crate) fn start() -> Result<Library> {
        call!(aclrtSetDevice(0));
        let mut stream = ptr::null_mut();
        call!(aclrtCreateStream(&raw mut stream));
        Ok(Library { stream })
    }

    /// `torch.npu.current_stream().npu_stream`
    pub(crate) fn stream(&self) -> sys::aclrtStream {
        self.stream
    }

    /// Queues a fill and returns the tensor: numbers whose bytes are all `byte`.
    pub(crate) fn full(&self, byte: u8, len: usize) -> Result<Tensor> {
        let mut data = ptr::null_mut();
        let tensor = Tensor { data, len };
        call!(aclrtMalloc(
            &raw mut data,
            tensor.bytes(),
            sys::ACL_MEM_MALLOC_HUGE_FIRST
        ));
        call!(aclrtMemsetAsync(
            data,
            tensor.bytes(),
            byte.into(),
            tensor.bytes(),
            self.stream
        ));
        Ok(Tensor { data, len })
    }

    /// Waits for the stream and reads a tensor.
    pub(crate) fn read(&self, tensor: &Tensor) -> Result<Vec<f32>> {
        let mut numbers = vec![0.0_f32; tensor.len];
        let (to, bytes) = (numbers.as_mut_ptr().cast(), tensor.bytes());
        call!(aclrtSynchronizeStream(self.stream));
        call!(aclrtMemcpy(
            to,
            bytes,
            tensor.data,
            bytes,
            sys::ACL_MEMCPY_DEVICE_TO_HOST
        ));
        Ok(numbers)
    }

    /// Releases everything. All of it must still exist.
    pub(crate) fn stop(self, tensor: Tensor) -> Result<()> {
        call!(aclrtDestroyStream(self.stream));
        call!(aclrtFree(tensor.data));
        call!(aclrtResetDevice(0));
        Ok(())
    }
}

impl Tensor {
    /// `tensor.data_ptr()`
    pub(crate) fn data_ptr(&self) -> *mut f32 {
        self.data.cast()
    }

    pub(crate) fn len(&self) -> usize {
        self.len
    }

    fn bytes(&self) -> usize {
        self.len * size_of::<f32>()
    }
}
