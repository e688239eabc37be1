//! Frees the memory of a picture while a stream has it.

use ascendcl::media::{Nv12, Picture};
use ascendcl::memory::Dvpp;
use ascendcl::stream::Main;
use ascendcl::{Npu, Queued, Result, Stream};

type D = Npu<0>;
type Q = (D, Main);

fn wrong<'d>(
    stream: &mut Stream<'_, 'd, D, Main>,
    picture: Queued<'d, Q, Picture<'d, Dvpp<D>, Nv12>>,
) -> Result<()> {
    //~ instead: let picture = stream.synchronize()?.take(picture);
    picture.into_buf().free()?;
    stream.synchronize()?; //~ mistake
    Ok(())
}
