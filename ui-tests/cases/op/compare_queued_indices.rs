//! Compares indices with a bound while the stream may still write them.

use ascendcl::op::Tensor;
use ascendcl::stream::Main;
use ascendcl::{Current, HostSide, Npu, Result};

type Queue = (Npu<0>, Main);

fn wrong(
    current: Current<'_, '_, Npu<0>>,
    host: HostSide<'_>,
    queued: Tensor<'_, Queue, i64>,
    idle: Tensor<'_, Npu<0>, i64>,
) -> Result<()> {
    drop(idle.indices(current, host, 8)?);
    drop(queued.indices(current, host, 8)?); //~ mistake
    //~ instead: drop(queued);
    Ok(())
}
