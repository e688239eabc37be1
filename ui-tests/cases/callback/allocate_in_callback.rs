//! Allocates inside of a callback, where the runtime allows no call.

use ascendcl::callback::Subscribed;
use ascendcl::stream::Main;
use ascendcl::{Current, Npu, Result, Stream};

fn wrong(
    stream: &mut Stream<'_, '_, Npu<0>>,
    subscribed: &Subscribed<(Npu<0>, Main)>,
    current: Current<'static, 'static, Npu<0>>,
) -> Result<()> {
    stream.launch_callback(subscribed, move || drop(current.malloc::<u8>(64)))?; //~ mistake
    //~ instead: let buf = current.malloc::<u8>(64)?;
    //~ instead: stream.launch_callback(subscribed, || {})?;
    //~ instead: buf.free()?;
    Ok(())
}
