//! Copies to a device that generic code does not tie to the binding.

use ascendcl::{Current, DeviceBuf, DeviceTag, HostBuf, Npu, Result};

fn wrong<D: DeviceTag, E: DeviceTag>(
    current: Current<'_, '_, D>,
    to: &mut DeviceBuf<'_, E, [f32]>, //~ mistake
    //~ instead: to: &mut DeviceBuf<'_, D, [f32]>,
    from: &HostBuf<'_, [f32]>,
) -> Result<()> {
    current.memcpy(to, from) //~ mistake
    //~ instead: current.memcpy(to, from)
}

fn main() {
    let _ = wrong::<Npu<0>, Npu<0>>;
}
