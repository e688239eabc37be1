//! Creates a channel of the second interface before the interface is initialised.

use ascendcl::media::Media;
use ascendcl::{Current, Npu, Result};

fn wrong<'d>(media: Media<'_>, current: Current<'_, 'd, Npu<0>>) -> Result<()> {
    //~ instead: let media = media.v2(current)?;
    let processor = media.create_processor(current)?; //~ mistake
    //~ instead: let processor = media.create_processor(current)?;
    processor.destroy()
}
