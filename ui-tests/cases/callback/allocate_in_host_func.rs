//! Allocates inside of a host function, where the runtime allows no call.

use ascendcl::{Current, Npu, Result, Stream};

fn wrong(
    stream: &mut Stream<'_, '_, Npu<0>>,
    current: Current<'static, 'static, Npu<0>>,
) -> Result<()> {
    stream.launch_host_func(move || drop(current.malloc::<u8>(64)))?; //~ mistake
    //~ instead: let buf = current.malloc::<u8>(64)?;
    //~ instead: stream.launch_host_func(|| {})?;
    //~ instead: buf.free()?;
    Ok(())
}
