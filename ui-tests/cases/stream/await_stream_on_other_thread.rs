//! Sends a future that waits for a stream to another thread, which is not bound to the device.

use ascendcl::stream::Main;
use ascendcl::{Npu, Result, Stream};

fn wrong(mut stream: Stream<'_, '_, Npu<0>, Main>) -> Result<()> {
    let zeros = stream.memset_async(stream.malloc::<u8>(4)?, 0)?;
    let done = stream.synchronized();
    //~ instead: let done = stream.completed(zeros);
    std::thread::scope(|scope| {
        scope.spawn(move || spawn(done)); //~ mistake
        //~ instead: scope.spawn(move || spawn(done));
    });
    Ok(())
}

fn spawn<F: Future>(_: F) {}
