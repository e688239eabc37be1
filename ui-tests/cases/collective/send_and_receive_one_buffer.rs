//! Sends a buffer in a batch that also receives it.

use ascendcl::collective::Comm;
use ascendcl::stream::Main;
use ascendcl::{DeviceBuf, Npu, Queued, Result, Stream};

type D = Npu<0>;
type Q = (D, Main);

fn wrong<'d>(
    stream: &mut Stream<'_, 'd, D, Main>,
    comm: &Queued<'d, Q, Comm<'_, 'd, D>>,
    own: &mut Queued<'d, Q, DeviceBuf<'d, D, [f32]>>,
    other: &mut Queued<'d, Q, DeviceBuf<'d, D, [f32]>>,
) -> Result<()> {
    let (ranks, _) = (comm.ranks(), &other);
    let mut batch = comm.batch();
    batch.send(ranks.next(), &*own)?;
    batch.recv(ranks.next(), own)?; //~ mistake
    //~ instead: batch.recv(ranks.next(), other)?;
    stream.with(comm).batch_send_recv(batch)
}

fn main() {
    let _ = wrong;
}
