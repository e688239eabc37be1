//! Stores a stream without a lifetime although its binding will end.

use ascendcl::{Npu, Stream};

struct Worker { //~ mistake
    _stream: Stream<'static, 'static, Npu<0>>, //~ mistake
} //~ mistake
//~ instead: struct Worker<'c> {
//~ instead:     _stream: Stream<'c, 'c, Npu<0>>,
//~ instead: }

fn wrong(stream: Stream<'_, '_, Npu<0>>) {
    Worker { _stream: stream }; //~ mistake
    //~ instead: Worker { _stream: stream };
}
