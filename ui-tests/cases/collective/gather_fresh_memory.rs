//! Sends memory that nothing has written.

use ascendcl::collective::Comm;
use ascendcl::stream::Main;
use ascendcl::{DeviceBuf, Npu, Queued, Result, Stream};
use ascendcl::memory::Uninit;

type D = Npu<0>;
type Q = (D, Main);

fn wrong<'d>(
    stream: &mut Stream<'_, 'd, D, Main>,
    comm: &Queued<'d, Q, Comm<'_, 'd, D>>,
    own: Queued<'d, Q, DeviceBuf<'d, D, [f32], Uninit>>,
    all: Queued<'d, Q, DeviceBuf<'d, D, [f32], Uninit>>,
) -> Result<()> {
    //~ instead: let own = stream.memset_async(own, 0)?;
    stream.with(comm).all_gather(&own, all)?; //~ mistake
    //~ instead: stream.with(comm).all_gather(&own, all)?;
    Ok(())
}

fn main() {
    let _ = wrong;
}
