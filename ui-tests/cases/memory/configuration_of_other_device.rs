//! Allocates with a configuration that names another device than the current one.

use ascendcl::memory::MallocConfig;
use ascendcl::{Current, MallocPolicy, Npu, Result};

fn wrong(current: Current<'_, '_, Npu<0>>) -> Result<()> {
    let config = MallocConfig::<Npu<1>>::new().on_device(); //~ mistake
    //~ instead: let config = MallocConfig::<Npu<0>>::new().on_device();
    current.malloc_with_config::<f32>(16, MallocPolicy::HugeFirst, config)?.free()
}
