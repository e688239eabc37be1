//! Nanoseconds for a call: typed, as a raw call of AscendCL, and on a GPU also of the driver and of a wrapper of CUDA.

use std::env;
use std::ffi::c_void;
use std::hint::black_box;
use std::ptr;
use std::sync::Arc;
use std::time::Instant;

use ascendcl::memory::Pool;
use ascendcl::sys;
use ascendcl::{Current, HostSide, Npu, Result, Stream, StreamName};
use ascendcl_cuda::driver::{Driver, Handle, LIBRARY, driver};
use cudarc::driver::{CudaContext, CudaSlice, CudaStream, PinnedHostSlice};

use crate::{Done, is_gpu};

enum Main {}
impl StreamName for Main {}

/// The bytes of a copy.
const BYTES: usize = 4096;
/// The bytes of a pool, which keeps all of them.
const POOL: usize = 1 << 30;
/// Calls between two waits: fewer than a queue has places.
const CALLS: u32 = 256;
/// How often the calls are measured; the median counts.
const TURNS: usize = 301;

/// What is measured.
#[derive(Clone, Copy)]
enum What {
    Upload,
    Inside,
    Fill,
    Fresh,
    Idle,
}

const ROWS: [(&str, What); 5] = [
    ("copy to the device, queued", What::Upload),
    ("copy within the device, queued", What::Inside),
    ("fill, queued", What::Fill),
    ("memory of a pool, filled and freed", What::Fresh),
    ("wait for an idle stream", What::Idle),
];

/// Prints the table.
pub(crate) fn run(current: Current<'_, '_, Npu<0>>, host: HostSide<'_>) -> Done {
    println!(
        "\n| {BYTES} bytes, ns per call (median of {TURNS}) | raw | typed | typed : raw | driver | cudarc | cudarc : driver |"
    );
    println!("|---|--:|--:|--:|--:|--:|--:|");
    let mut stream = current.create_stream::<Main>()?;
    let pool = current.create_pool(POOL)?;
    pool.set_release_threshold(current, POOL as u64)?;
    let raw = Raw::new();
    // The stand-in is no driver for the wrapper.
    let is_card = is_gpu() && env::var_os(LIBRARY).is_none();
    let gpu = is_card.then(Gpu::new).flatten();
    for (name, what) in ROWS {
        let mut gpu = gpu.as_ref().map(|gpu| (gpu, gpu.memory()));
        let mut times: [Vec<f64>; 4] = Default::default();
        for _ in 0..TURNS {
            let [of_raw, of_typed, of_driver, of_wrapper] = &mut times;
            of_raw.push(timed(|| raw.call(what)));
            of_typed.push(typed(what, &mut stream, &pool, host)?);
            if let Some((gpu, memory)) = &mut gpu {
                of_driver.push(timed(|| gpu.call(what, &raw)));
                of_wrapper.push(timed(|| gpu.call_wrapper(what, memory)));
            }
        }
        let [raw, typed, driver, wrapper] = times.map(median);
        print!("| {name} | {raw:.0} | {typed:.0} | {:.3} |", typed / raw);
        match gpu {
            Some(_) => println!(" {driver:.0} | {wrapper:.0} | {:.2} |", wrapper / driver),
            None => println!(" | | |"),
        }
    }
    stream.synchronize()?;
    Ok(true)
}

fn median(mut times: Vec<f64>) -> f64 {
    times.sort_by(f64::total_cmp);
    times.get(times.len() / 2).copied().unwrap_or_default()
}

/// The nanoseconds of one of `CALLS` calls. The device is idle before and behind them.
fn timed(mut call: impl FnMut()) -> f64 {
    let start = Instant::now();
    for _ in 0..CALLS {
        call();
    }
    let nanoseconds = start.elapsed().as_nanos() as f64 / f64::from(CALLS);
    // SAFETY: no contract.
    assert_eq!(unsafe { sys::aclrtSynchronizeDevice() }, sys::ACL_SUCCESS);
    nanoseconds
}

fn typed(
    what: What,
    stream: &mut Stream<'_, '_, Npu<0>, Main>,
    pool: &Pool<'_, Npu<0>>,
    host: HostSide<'_>,
) -> Result<f64> {
    let data = stream.malloc_host_from(host, &[7_u8; BYTES])?;
    let mut a = stream.memset_async(stream.malloc::<u8>(BYTES)?, 0)?;
    let b = stream.memset_async(stream.malloc::<u8>(BYTES)?, 0)?;
    stream.synchronize()?;
    let mut result = Ok(());
    let time = timed(|| {
        let call = match what {
            What::Upload => stream.memcpy_async(&mut a, &data),
            What::Inside => stream.memcpy_async(&mut a, &b),
            What::Fill => stream.memset_async(&mut a, 1),
            What::Fresh => fresh(stream, pool),
            What::Idle => stream.synchronize().map(drop),
        };
        if call.is_err() {
            result = call;
        }
    });
    // The stream has the wait that frees its memory.
    stream.synchronize()?;
    result.map(|()| time)
}

/// Memory for one turn of a loop, which the stream frees behind the fill.
fn fresh(stream: &mut Stream<'_, '_, Npu<0>, Main>, pool: &Pool<'_, Npu<0>>) -> Result<()> {
    let memory = stream.malloc_from::<u8>(pool, BYTES)?;
    stream.memset_async(memory, 1).map(drop)
}

/// A stream, a pool and memory for raw calls, which live as long as the process.
struct Raw {
    stream: sys::aclrtStream,
    pool: sys::aclrtMemPool,
    host: *mut c_void,
    device: [*mut c_void; 2],
}

impl Raw {
    fn new() -> Raw {
        let (mut stream, mut pool, mut host) = (ptr::null_mut(), ptr::null_mut(), ptr::null_mut());
        let mut device = [ptr::null_mut(); 2];
        let [one, two] = &mut device;
        let properties = sys::aclrtMemPoolProps {
            allocType: sys::ACL_MEM_ALLOCATION_TYPE_PINNED,
            handleType: sys::ACL_MEM_HANDLE_TYPE_NONE,
            location: sys::aclrtMemLocation {
                id: 0,
                type_: sys::ACL_MEM_LOCATION_TYPE_DEVICE,
            },
            maxSize: POOL,
            reserved: [0; 32],
        };
        let (kept, mut all) = (sys::ACL_RT_MEM_POOL_ATTR_RELEASE_THRESHOLD, POOL as u64);
        // SAFETY: the outputs are valid for writes, and the properties and the attribute for reads.
        let codes = unsafe {
            [
                sys::aclrtCreateStream(&raw mut stream),
                sys::aclrtMemPoolCreate(&raw mut pool, &raw const properties),
                sys::aclrtMemPoolSetAttr(pool, kept, (&raw mut all).cast()),
                sys::aclrtMallocHost(&raw mut host, BYTES),
                sys::aclrtMalloc(one, BYTES, sys::ACL_MEM_MALLOC_HUGE_FIRST),
                sys::aclrtMalloc(two, BYTES, sys::ACL_MEM_MALLOC_HUGE_FIRST),
            ]
        };
        assert_eq!(codes, [sys::ACL_SUCCESS; 6]);
        Raw {
            stream,
            pool,
            host,
            device,
        }
    }

    fn call(&self, what: What) {
        let (stream, [one, two]) = (self.stream, self.device);
        // SAFETY: live memory of this size, and a live stream.
        let code = unsafe {
            match what {
                What::Upload => sys::aclrtMemcpyAsync(
                    one,
                    BYTES,
                    self.host,
                    BYTES,
                    sys::ACL_MEMCPY_HOST_TO_DEVICE,
                    stream,
                ),
                What::Inside => sys::aclrtMemcpyAsync(
                    one,
                    BYTES,
                    two,
                    BYTES,
                    sys::ACL_MEMCPY_DEVICE_TO_DEVICE,
                    stream,
                ),
                What::Fill => sys::aclrtMemsetAsync(one, BYTES, 1, BYTES, stream),
                What::Fresh => {
                    let mut fresh = ptr::null_mut();
                    sys::aclrtMemPoolMallocAsync(&raw mut fresh, BYTES, self.pool, stream)
                        | sys::aclrtMemsetAsync(fresh, BYTES, 1, BYTES, stream)
                        | sys::aclrtMemPoolFreeAsync(fresh, stream)
                }
                What::Idle => sys::aclrtSynchronizeStream(stream),
            }
        };
        assert_eq!(black_box(code), sys::ACL_SUCCESS);
    }
}

/// The driver below the library, and the wrapper beside it.
struct Gpu {
    driver: &'static Driver,
    stream: Handle,
    wrapper: Arc<CudaStream>,
}

/// Memory of the wrapper.
struct Memory {
    host: PinnedHostSlice<u8>,
    device: [CudaSlice<u8>; 2],
}

/// Lets the pool from which the wrapper allocates keep its memory, as the other pools do.
fn keep_all(driver: &Driver) {
    let (mut pool, mut all) = (ptr::null_mut(), u64::MAX);
    // SAFETY: the output is valid for a write, and the attribute for a read. 4 is the threshold of releases.
    let codes = unsafe {
        [
            (driver.device_pool)(&raw mut pool, 0),
            (driver.pool_set)(pool, 4, (&raw mut all).cast()),
        ]
    };
    assert_eq!(codes, [0; 2]);
}

impl Gpu {
    fn new() -> Option<Gpu> {
        let (driver, mut stream) = (driver().ok()?, ptr::null_mut());
        // SAFETY: the output is valid for a write; 1 is a stream that does not wait for the default one.
        let made = unsafe { (driver.stream_create)(&raw mut stream, 1) };
        let wrapper = CudaContext::new(0)
            .and_then(|context| context.new_stream())
            .ok()?;
        keep_all(driver);
        (made == 0).then_some(Gpu {
            driver,
            stream,
            wrapper,
        })
    }

    fn memory(&self) -> Memory {
        // SAFETY: all bytes are written below.
        let mut host = unsafe { self.wrapper.context().alloc_pinned::<u8>(BYTES) }
            .expect("page-locked memory");
        host.as_mut_slice().expect("idle memory").fill(7);
        let device = [(); 2].map(|()| self.wrapper.alloc_zeros(BYTES).expect("device memory"));
        Memory { host, device }
    }

    fn call(&self, what: What, raw: &Raw) {
        let address = |pointer: *mut c_void| pointer.expose_provenance() as u64;
        let (driver, [one, two]) = (self.driver, raw.device.map(address));
        // SAFETY: live memory of this size, and a live stream.
        let code = unsafe {
            match what {
                What::Upload => (driver.copy_async)(one, address(raw.host), BYTES, self.stream),
                What::Inside => (driver.copy_async)(one, two, BYTES, self.stream),
                What::Fill => (driver.fill_async)(one, 1, BYTES, self.stream),
                What::Fresh => {
                    let mut fresh = 0;
                    (driver.pool_allocate)(&raw mut fresh, BYTES, raw.pool, self.stream)
                        | (driver.fill_async)(fresh, 1, BYTES, self.stream)
                        | (driver.pool_free)(fresh, self.stream)
                }
                What::Idle => (driver.stream_synchronize)(self.stream),
            }
        };
        assert_eq!(black_box(code), 0);
    }

    fn call_wrapper(&self, what: What, memory: &mut Memory) {
        let [one, two] = &mut memory.device;
        let result = match what {
            What::Upload => self.wrapper.memcpy_htod(&memory.host, one),
            What::Inside => self.wrapper.memcpy_dtod(two, one),
            What::Fill => self.wrapper.memset_zeros(one),
            What::Fresh => self.wrapper.alloc_zeros::<u8>(BYTES).map(drop),
            What::Idle => self.wrapper.synchronize(),
        };
        result.expect("a call of CUDA");
    }
}
