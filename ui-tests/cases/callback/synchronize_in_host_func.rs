//! Waits for a stream inside of a host function, where the runtime allows no call.

use ascendcl::{Npu, Result, Stream, StreamName};

enum Other {}
impl StreamName for Other {}

fn wrong(
    stream: &mut Stream<'_, '_, Npu<0>>,
    mut other: Stream<'static, 'static, Npu<0>, Other>,
) -> Result<()> {
    stream.launch_host_func(move || drop(other.synchronize()))?; //~ mistake
    //~ instead: stream.synchronize()?;
    //~ instead: other.synchronize()?;
    Ok(())
}
