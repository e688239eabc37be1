//! Uses a stream on a thread that is not bound to its context.

use ascendcl::stream::Main;
use ascendcl::{Npu, Result, Stream};

fn wrong(mut stream: Stream<'static, 'static, Npu<0>, Main>) -> Result<()> {
    std::thread::spawn(move || stream.synchronize().map(drop)); //~ mistake
    //~ instead: stream.synchronize().map(drop)?;
    Ok(())
}
