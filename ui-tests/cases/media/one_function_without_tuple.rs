//! Names the function of a channel without a tuple.

use ascendcl::media::{V1, Vpc};
use ascendcl::{Current, Npu, Result};

fn wrong(media: &V1<'_>, current: Current<'_, '_, Npu<0>>) -> Result<()> {
    let channel = media.create_channel::<Vpc, _>(current)?; //~ mistake
    //~ instead: let channel = media.create_channel::<(Vpc,), _>(current)?;
    channel.destroy()
}
