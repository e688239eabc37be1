//! Uses a buffer as memory of this process alone after other processes may have it.

use ascendcl::share::{Exported, Importers, SharedBuf};
use ascendcl::{Current, DeviceBuf, HostBuf, Npu, Result};

fn wrong<'dev>(
    current: Current<'_, 'dev, Npu<0>>,
    to: &mut HostBuf<'dev, [f32]>,
    memory: DeviceBuf<'dev, Npu<0>, [f32]>,
) -> Result<SharedBuf<'dev, Exported<Npu<0>>, f32>> {
    let shared = current.export_memory(memory, Importers::Any)?;
    current.memcpy(to, &memory)?; //~ mistake
    //~ instead: current.memcpy(to, &shared)?;
    Ok(shared)
}
