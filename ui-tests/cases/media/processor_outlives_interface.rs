//! Gives the second interface up while a channel of it lives.

use ascendcl::media::V2;
use ascendcl::{Current, Npu, Result};

fn wrong<'d>(media: V2<'_, 'd, Npu<0>>, current: Current<'_, 'd, Npu<0>>) -> Result<()> {
    let processor = media.create_processor(current)?;
    media.exit()?; //~ mistake
    processor.destroy()?;
    //~ instead: media.exit()?;
    Ok(())
}
