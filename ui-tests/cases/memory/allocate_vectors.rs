//! Allocates vectors on a device: only their addresses would travel.

use ascendcl::{Current, Npu, Result};

fn wrong(current: Current<'_, '_, Npu<0>>) -> Result<()> {
    current.malloc::<Vec<f32>>(16)?; //~ mistake
    //~ instead: current.malloc::<[f32; 4]>(16)?;
    Ok(())
}
