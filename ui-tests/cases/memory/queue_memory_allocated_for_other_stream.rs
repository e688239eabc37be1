//! Uploads by one stream to memory that was allocated for another one.

use ascendcl::stream::Main;
use ascendcl::{Current, HostSide, Npu, Result, StreamName};

enum Upload {}
impl StreamName for Upload {}

fn wrong(current: Current<'_, '_, Npu<0>>, host: HostSide<'_>) -> Result<()> {
    let main = current.create_stream::<Main>()?;
    let mut upload = current.create_stream::<Upload>()?;
    let numbers = upload.malloc_host_from(host, &[1.0_f32; 4])?;
    upload.memcpy_async(main.malloc(4)?, &numbers)?; //~ mistake
    //~ instead: let _written = upload.memcpy_async(upload.malloc(4)?, &numbers)?;
    main.destroy()
}
