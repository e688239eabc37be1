//! Reads the size of an encoded file before a wait for the stream.

use ascendcl::media::EncodedJpeg;
use ascendcl::stream::Main;
use ascendcl::{Current, Npu, Queued, Result, Stream};

type D = Npu<0>;
type Q = (D, Main);

fn wrong<'d>(
    current: Current<'_, 'd, D>,
    stream: &mut Stream<'_, 'd, D, Main>,
    file: Queued<'d, Q, EncodedJpeg<'d, D>>,
) -> Result<Vec<u8>> {
    //~ instead: let file = stream.synchronize()?.take(file);
    let read = file.check(current);
    stream.synchronize()?; //~ mistake
    read
}
