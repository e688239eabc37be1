//! Destroys a decoder that still receives files.

use ascendcl::media::{JpegDecoder, Nv12, Receiving};
use ascendcl::{Npu, Result};

fn wrong(decoder: JpegDecoder<'_, '_, Npu<0>, Nv12, Receiving>) -> Result<()> {
    decoder.destroy() //~ mistake
    //~ instead: decoder.stop()?.destroy()
}
