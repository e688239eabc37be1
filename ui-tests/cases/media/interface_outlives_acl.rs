//! Keeps the media engine when AscendCL is given up.

use ascendcl::{Acl, Result};

fn wrong(acl: Acl) -> Result<()> {
    let media = acl.media()?;
    acl.finalize()?; //~ mistake
    drop(media);
    //~ instead: acl.finalize()?;
    Ok(())
}
