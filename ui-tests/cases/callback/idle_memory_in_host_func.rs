//! Lets a host function touch memory that no stream holds, so that the program has it too.

use ascendcl::{HostBuf, Npu, Result, Stream};

fn wrong(stream: &mut Stream<'_, '_, Npu<0>>, mut host: HostBuf<'static, [u32]>) -> Result<()> {
    stream.launch_host_func_on(&mut host, |numbers| numbers.sort())?; //~ mistake
    host.fill(0); //~ mistake
    //~ instead: let mut host = stream.adopt(host);
    //~ instead: stream.launch_host_func_on(&mut host, |numbers| numbers.sort())?;
    //~ instead: stream.synchronize()?.take(host).fill(0);
    Ok(())
}
