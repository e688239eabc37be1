//! `cust` beside the CUDA driver. Its queued calls are `unsafe`, except those for events.

use std::error::Error;
use std::hint::black_box;

use counting::cuda::{LIBRARY, Raw};
use counting::{BLOCKS, COUNT, Counting, FACTOR, FILE, LEN, THREADS};
use cust::event::{Event, EventFlags};
use cust::launch;
use cust::memory::{AsyncCopyDestination, DeviceBuffer};
use cust::module::Module;
use cust::stream::{Stream, StreamFlags, StreamWaitEventFlags};

fn main() -> Result<(), Box<dyn Error>> {
    let library = Counting::open(LIBRARY)?;
    let raw = Raw::new(&library)?;
    let _context = cust::quick_init()?;
    let (stream, other) = (
        Stream::new(StreamFlags::NON_BLOCKING, None)?,
        Stream::new(StreamFlags::NON_BLOCKING, None)?,
    );
    let host = vec![1.0_f32; LEN];
    let source = DeviceBuffer::from_slice(&host)?;
    let mut target = DeviceBuffer::<f32>::zeroed(LEN)?;

    library.row(
        "cust: copy to device, queued",
        || {
            let host = black_box(host.as_slice());
            // SAFETY: the library only counts, here and below.
            unsafe { target.async_copy_from(host, &stream) }.unwrap();
        },
        || raw.copy(),
    );
    library.row(
        "cust: copy within device, queued",
        || {
            // SAFETY: as above.
            unsafe { target.async_copy_from(black_box(&source), &stream) }.unwrap();
        },
        || raw.copy_within(),
    );
    library.row(
        "cust: fill, queued",
        || {
            // SAFETY: as above.
            unsafe { black_box(&mut target).set_8_async(0, &stream) }.unwrap();
        },
        || raw.fill(),
    );
    // A wait takes the event, so each wait needs an event of its own.
    library.row(
        "cust: record, wait",
        || {
            let event = Event::new(black_box(EventFlags::DISABLE_TIMING)).unwrap();
            event.record(&stream).unwrap();
            other
                .wait_event(event, StreamWaitEventFlags::DEFAULT)
                .unwrap();
        },
        || raw.record_wait(),
    );
    library.row(
        "cust: synchronize stream",
        || black_box(&stream).synchronize().unwrap(),
        || raw.synchronize(),
    );
    library.row(
        "cust: allocate, free",
        || {
            // SAFETY: nothing reads it.
            drop(unsafe { DeviceBuffer::<f32>::uninitialized(black_box(LEN)) }.unwrap());
        },
        || raw.alloc_free(),
    );
    let module = Module::from_ptx(FILE, &[])?;
    let saxpy = module.get_function("saxpy")?;
    library.row(
        "cust: launch of a kernel",
        || {
            let (x, y) = (black_box(&source).as_device_ptr(), target.as_device_ptr());
            // SAFETY: as above.
            unsafe { launch!(saxpy<<<BLOCKS, THREADS, 0, stream>>>(x, y, FACTOR, COUNT)) }.unwrap();
        },
        || raw.launch(),
    );
    Ok(())
}
