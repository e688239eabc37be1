//! Lets a host function touch memory that another stream has.

use ascendcl::{HostBuf, Npu, Queued, Result, Stream, StreamName};

enum Upload {}
impl StreamName for Upload {}

fn wrong(
    main: &mut Stream<'_, '_, Npu<0>>,
    up: &mut Stream<'_, '_, Npu<0>, Upload>,
    host: &mut Queued<'_, (Npu<0>, Upload), HostBuf<'_, [u32]>>,
) -> Result<()> {
    main.launch_host_func_on(host, |numbers| numbers.sort())?; //~ mistake
    //~ instead: up.launch_host_func_on(host, |numbers| numbers.sort())?;
    Ok(())
}
