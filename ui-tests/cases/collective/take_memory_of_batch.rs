//! Takes memory away from a batch that was not queued yet.

use ascendcl::collective::Comm;
use ascendcl::stream::Main;
use ascendcl::{DeviceBuf, Npu, Queued, Result, Stream};

type D = Npu<0>;
type Q = (D, Main);

fn wrong<'d>(
    stream: &mut Stream<'_, 'd, D, Main>,
    comm: &Queued<'d, Q, Comm<'_, 'd, D>>,
    own: Queued<'d, Q, DeviceBuf<'d, D, [f32]>>,
) -> Result<()> {
    let next = comm.ranks().next();
    let mut batch = comm.batch();
    batch.send(next, &own)?;
    drop(own); //~ mistake
    stream.with(comm).batch_send_recv(batch)?;
    //~ instead: drop(own);
    Ok(())
}

fn main() {
    let _ = wrong;
}
