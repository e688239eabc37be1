//! Gives shared memory of one device to a stream of another one.

use ascendcl::share::{Imported, SharedBuf};
use ascendcl::{Npu, Stream};

fn wrong<'dev>(
    stream: &Stream<'_, 'dev, Npu<1>>, //~ mistake
    //~ instead: stream: &Stream<'_, 'dev, Npu<0>>,
    shared: SharedBuf<'dev, Imported<Npu<0>>, f32>,
) {
    stream.adopt(shared);
}
