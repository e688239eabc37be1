//! Writes a number in the memory of another device.

use ascendcl::event::Value;
use ascendcl::{Npu, Result, Stream};

fn wrong(
    on_0: &mut Stream<'_, '_, Npu<0>>,
    on_1: &mut Stream<'_, '_, Npu<1>>,
    value: &Value<'_, Npu<1>>,
) -> Result<()> {
    let _ = (&on_0, &on_1);
    on_0.value_write(value, 1) //~ mistake
    //~ instead: on_1.value_write(value, 1)
}
