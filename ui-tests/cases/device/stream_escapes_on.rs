//! Returns a stream of a device from the closure at whose end the device is reset.

use ascendcl::stream::Main;
use ascendcl::{Acl, Npu, Result};

fn wrong(acl: &Acl) -> Result<()> {
    let stream = acl.on::<Npu<0>, _>(0, |current| current.create_stream::<Main>())?; //~ mistake
    stream.destroy() //~ mistake
    //~ instead: acl.on::<Npu<0>, _>(0, |current| current.create_stream::<Main>()?.destroy())
}
