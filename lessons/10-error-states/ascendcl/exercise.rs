//! Lesson 10, second part: an event does not prove success.

use ascendcl::event::Order;
use ascendcl::stream::Main;
use ascendcl::{Acl, Npu};

fn main() -> ascendcl::Result<()> {
    let acl = Acl::from_env()?;
    let host = acl.host()?;
    acl.on::<Npu<0>, _>(0, |current| {
        let mut stream = current.create_stream::<Main>()?;
        let event = current.create_event::<Order>()?;
        let numbers = stream.malloc_host_from(host, &[1_u32, 2, 3])?;
        let on_device = stream.memcpy_async(stream.malloc(3)?, &numbers)?;
        let back = stream.memcpy_async(stream.malloc_host(host, 3)?, &on_device)?;

        let (back, _event) = stream.fence(event, back)?.synchronize()?;
        // Your task: prove that the copies have succeeded.
        println!("{:?}", &back[..]);
        Ok(())
    })
}
