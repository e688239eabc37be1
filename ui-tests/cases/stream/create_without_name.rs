//! Creates a stream without a name.
#![allow(unused)]

use ascendcl::stream::Main;
use ascendcl::{Current, Npu, Result};

fn wrong<'c>(current: Current<'c, 'c, Npu<0>>) -> Result<()> {
    let stream = current.create_stream()?; //~ mistake
    //~ instead: let stream = current.create_stream::<Main>()?;
    stream.destroy()
}
