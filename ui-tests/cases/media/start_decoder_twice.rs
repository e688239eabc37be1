//! Starts a decoder that receives files already.

use ascendcl::media::{JpegDecoder, Nv12, Receiving};
use ascendcl::{Npu, Result};

fn wrong(decoder: JpegDecoder<'_, '_, Npu<0>, Nv12, Receiving>) -> Result<()> {
    let decoder = decoder.start()?; //~ mistake
    decoder.stop()?.destroy()
}
