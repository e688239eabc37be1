//! `cann` beside AscendCL. Its copies are `unsafe` and take addresses.

use std::error::Error;
use std::hint::black_box;

use cann::buffer::{DeviceBuffer, HostBuffer, MemFlags, MemcpyKind, memcpy_async};
use cann::event::Event;
use cann::stream::Stream;
use counting::{BYTES, Counting};

use crate::acl::Raw;

pub fn rows() -> Result<(), Box<dyn Error>> {
    let library = Counting::open("libascendcl.so")?;
    let raw = Raw::new(&library)?;
    let failed = |error: cann::Error| format!("{error:?}");
    let (stream, other) = (
        Stream::new().map_err(failed)?,
        Stream::new().map_err(failed)?,
    );
    let event = Event::new().map_err(failed)?;
    let host = HostBuffer::alloc(BYTES).map_err(failed)?;
    let new = || DeviceBuffer::alloc(BYTES, MemFlags::HugeFirst);
    let (source, target) = (new().map_err(failed)?, new().map_err(failed)?);
    let copy = |kind, from: *const u8| {
        let to = black_box(&target).as_ptr().cast_mut().cast();
        // SAFETY: the library only counts.
        unsafe { memcpy_async(kind, to, from.cast(), BYTES, &stream) }.unwrap();
    };

    library.row(
        "cann: copy to device, queued",
        || copy(MemcpyKind::HostToDevice, black_box(&host).as_ptr()),
        || raw.copy(1),
    );
    library.row(
        "cann: copy within device, queued",
        || copy(MemcpyKind::DeviceToDevice, black_box(&source).as_ptr()),
        || raw.copy(3),
    );
    library.row(
        "cann: record, wait",
        || {
            black_box(&event).record(Some(&stream)).unwrap();
            event.stream_wait(&other).unwrap();
        },
        || raw.record_wait(),
    );
    library.row(
        "cann: synchronize stream",
        || black_box(&stream).synchronize().unwrap(),
        || raw.synchronize(),
    );
    library.row(
        "cann: allocate, free",
        || drop(DeviceBuffer::alloc(black_box(BYTES), MemFlags::HugeFirst).unwrap()),
        || raw.malloc_free(),
    );
    Ok(())
}
