//! Uses both interfaces of the media engine in one process.

use ascendcl::{Acl, Current, Npu, Result};

fn wrong(acl: &Acl, current: Current<'_, '_, Npu<0>>) -> Result<()> {
    let media = acl.media()?;
    let first = media.v1()?; //~ mistake
    let second = media.v2(current)?;
    drop(first); //~ mistake
    second.exit()
}
