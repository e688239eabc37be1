//! Records a copy of memory of Rust.

use ascendcl::{DeviceBuf, HostSide, Npu, Result, Stream};

fn wrong(
    stream: &mut Stream<'_, '_, Npu<0>>,
    bytes: DeviceBuf<'_, Npu<0>, [u8]>,
    host: HostSide,
    numbers: &[u8],
) -> Result<()> {
    let graph = stream.capture(bytes, |recording, mut bytes| {
        recording.memcpy_async(&mut bytes, &numbers[..]) //~ mistake
        //~ instead: let copy = recording.malloc_host_from(host, numbers)?;
        //~ instead: recording.memcpy_async(&mut bytes, &copy)
    })?;
    drop(graph);
    Ok(())
}
