//! Shares a channel with another thread.

use ascendcl::Npu;
use ascendcl::media::Channel;

type D = Npu<0>;

fn wrong(channel: &Channel<'_, '_, D>) -> u64 {
    std::thread::scope(|scope| { //~ mistake
        let id = scope.spawn(|| channel.id()); //~ mistake
        id.join().unwrap_or(0) //~ mistake
    }) //~ mistake
    //~ instead: channel.id()
}
