//! Sends a channel of the second interface to another thread.

use ascendcl::media::Processor;
use ascendcl::{Npu, Result};

fn wrong(processor: Processor<'_, '_, Npu<0>>) -> Result<()> {
    std::thread::scope(|scope| { //~ mistake
        let destroyed = scope.spawn(move || processor.destroy()); //~ mistake
        destroyed.join().unwrap_or(Ok(())) //~ mistake
    }) //~ mistake
    //~ instead: processor.destroy()
}
