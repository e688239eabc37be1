//! Reads the pixels of a picture without a look at the status of its tasks.

use ascendcl::media::{Nv12, Picture, Unchecked};
use ascendcl::memory::Dvpp;
use ascendcl::stream::Main;
use ascendcl::{Current, Npu, Queued, Result, Stream};

type D = Npu<0>;
type Q = (D, Main);

fn wrong<'d>(
    current: Current<'_, 'd, D>,
    stream: &mut Stream<'_, 'd, D, Main>,
    picture: Queued<'d, Q, Picture<'d, Dvpp<D>, Nv12, Unchecked>>,
) -> Result<Vec<u8>> {
    let picture = stream.synchronize()?.take(picture);
    //~ instead: let picture = picture.check()?;
    picture.read(current) //~ mistake
    //~ instead: picture.read(current)
}
