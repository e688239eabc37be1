//! Reads a picture that nothing has written.

use ascendcl::media::{Nv12, Picture};
use ascendcl::memory::{Dvpp, Uninit};
use ascendcl::{Current, Npu, Result};

fn wrong<'d>(
    current: Current<'_, 'd, Npu<0>>,
    picture: Picture<'d, Dvpp<Npu<0>>, Nv12, Uninit>,
) -> Result<Vec<u8>> {
    //~ instead: let picture = picture.fill(current, 0)?;
    picture.read(current) //~ mistake
    //~ instead: picture.read(current)
}
