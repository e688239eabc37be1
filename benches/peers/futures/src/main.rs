//! A copy and a launch that are awaited, beside a host function behind them.

use std::error::Error;
use std::ffi::{c_int, c_uint, c_void};
use std::hint::black_box;
use std::ptr::without_provenance_mut;

use ascendcl::kernel::{In, InOut, LenOf};
use ascendcl::stream::Main;
use ascendcl::{Acl, Npu, Thread};
use counting::acl::RawLaunch;
use counting::{BLOCKS, BYTES, Counting, Executor, FACTOR, FILE, LEN, RawWait, ok};

ascendcl::kernel! {
    struct Saxpy = saxpy(x: In<f32>, y: InOut<f32>, a: f32, n: LenOf<x>) where x == y;
}

type Copy =
    unsafe extern "C" fn(*mut c_void, usize, *const c_void, usize, c_uint, *mut c_void) -> c_int;

/// Functions, handles and addresses in memory, as a C program has them.
struct Raw {
    copy: Copy,
    launch: RawLaunch,
    wait: RawWait,
    stream: *mut c_void,
    from: *mut c_void,
    to: *mut c_void,
}

impl Raw {
    fn await_copy(&self) {
        let raw = black_box(self);
        // SAFETY: the library only counts.
        ok(unsafe { (raw.copy)(raw.to, BYTES, raw.from, BYTES, 3, raw.stream) });
        // SAFETY: as above.
        unsafe { raw.wait.wait(raw.stream) };
    }

    fn await_launch(&self) {
        let raw = black_box(self);
        raw.launch.launch();
        // SAFETY: as above.
        unsafe { raw.wait.wait(raw.stream) };
    }
}

fn main() -> Result<(), Box<dyn Error>> {
    let library = Counting::open("libascendcl.so")?;
    let raw = Raw {
        // SAFETY: the type of the function.
        copy: unsafe { library.function("aclrtMemcpyAsync")? },
        launch: RawLaunch::new(&library)?,
        wait: RawWait::new(&library, "aclrtLaunchHostFunc")?,
        stream: without_provenance_mut(0x1000),
        from: without_provenance_mut(0x4000),
        to: without_provenance_mut(0x5000),
    };
    let executor = Executor::new(&library)?;
    let acl = Acl::from_env()?;
    let mut thread = Thread::claim()?;
    let device = acl.set_device::<Npu<0>>(&mut thread, 0)?;
    let current = thread.set_current(&device)?;
    let mut stream = current.create_stream::<Main>()?;
    let source = stream.adopt(current.memset(current.malloc::<f32>(LEN)?, 0)?);
    let mut target = stream.adopt(current.memset(current.malloc::<f32>(LEN)?, 0)?);

    library.row(
        "ascendcl: copy within device, awaited",
        || {
            stream
                .memcpy_async(black_box(&mut target), &source)
                .unwrap();
            executor.block_on(stream.synchronized()).unwrap();
        },
        || raw.await_copy(),
    );
    let binary = current.load_binary_from(FILE.as_bytes())?;
    // SAFETY: the library only counts.
    let saxpy = unsafe { binary.kernel::<Saxpy>() }?;
    library.row(
        "ascendcl: launch of a kernel, awaited",
        || {
            let y = black_box(&mut target);
            let launched = stream.launch(saxpy, BLOCKS, (&source, y, FACTOR, ()));
            launched.unwrap();
            executor.block_on(stream.synchronized()).unwrap();
        },
        || raw.await_launch(),
    );
    binary.unload()?;
    let idle = stream.synchronize()?;
    idle.take(source).free()?;
    idle.take(target).free()?;
    Ok(())
}
