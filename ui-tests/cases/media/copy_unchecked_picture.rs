//! Copies a picture to the host without a look at the status of its tasks.

use ascendcl::media::{Nv12, Picture, Unchecked};
use ascendcl::memory::Dvpp;
use ascendcl::stream::Main;
use ascendcl::{HostBuf, Npu, Queued, Result, Stream};

type D = Npu<0>;
type Q = (D, Main);

fn wrong<'d>(
    stream: &mut Stream<'_, 'd, D, Main>,
    picture: Queued<'d, Q, Picture<'d, Dvpp<D>, Nv12, Unchecked>>,
    host: &mut Queued<'d, Q, HostBuf<'d, [u8]>>,
) -> Result<()> {
    //~ instead: let (picture, status) = picture.detach_status();
    stream.memcpy_async(host, &picture)?;
    stream.synchronize()?; //~ mistake
    //~ instead: stream.synchronize()?.take(status).check()?;
    Ok(())
}
