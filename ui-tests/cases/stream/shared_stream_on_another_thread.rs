//! Lends a stream to another thread.

use ascendcl::{Npu, Stream};

fn wrong(stream: &Stream<'_, '_, Npu<0>>) {
    std::thread::scope(|scope| {
        scope.spawn(|| stream.query()); //~ mistake
        //~ instead: let status = stream.query();
        //~ instead: scope.spawn(|| status);
    });
}
