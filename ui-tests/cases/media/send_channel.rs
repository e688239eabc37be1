//! Sends a channel to another thread.

use ascendcl::media::Channel;
use ascendcl::{Npu, Result};

type D = Npu<0>;

fn wrong(channel: Channel<'_, '_, D>) -> Result<()> {
    std::thread::scope(|scope| { //~ mistake
        let destroyed = scope.spawn(move || channel.destroy()); //~ mistake
        destroyed.join().unwrap_or(Ok(())) //~ mistake
    }) //~ mistake
    //~ instead: channel.destroy()
}
