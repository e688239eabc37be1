//! Fills a buffer piece by piece with elements of another type.

use ascendcl::memory::{Dev, Writer};
use ascendcl::{Current, HostBuf, Npu, Result};

fn wrong(
    current: Current<'_, '_, Npu<0>>,
    mut writer: Writer<'_, Dev<Npu<0>>, [f32]>,
    (doubles, floats): (&HostBuf<'_, [f64]>, &HostBuf<'_, [f32]>),
) -> Result<()> {
    writer.memcpy(current, doubles) //~ mistake
    //~ instead: writer.memcpy(current, floats)
}
