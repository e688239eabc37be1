//! Gives the interface up while a channel of it lives.

use ascendcl::media::{All, V1};
use ascendcl::{Current, Npu, Result};

fn wrong(media: V1<'_>, current: Current<'_, '_, Npu<0>>) -> Result<()> {
    let channel = media.create_channel::<All, _>(current)?;
    drop(media); //~ mistake
    channel.destroy()?;
    //~ instead: drop(media);
    Ok(())
}
