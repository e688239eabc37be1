//! Lets a stream write a number in page-locked memory of the host.

use ascendcl::event::Value;
use ascendcl::{HostBuf, Npu, Result, Stream};

fn wrong(
    stream: &mut Stream<'_, '_, Npu<0>>,
    value: &Value<'_, Npu<0>>,
    number: &HostBuf<'_, [u64]>,
) -> Result<()> {
    let _ = (value, number);
    stream.value_write(number, 1) //~ mistake
    //~ instead: stream.value_write(value, 1)
}
