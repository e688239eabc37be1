//! Pastes on a picture that stays known as good.

use ascendcl::media::{Channel, Nv12, Picture, Region};
use ascendcl::memory::Dvpp;
use ascendcl::stream::Main;
use ascendcl::{Npu, Queued, Result, Stream};

type D = Npu<0>;
type Q = (D, Main);

fn wrong<'d>(
    stream: &mut Stream<'_, 'd, D, Main>,
    channel: &Queued<'d, Q, Channel<'_, 'd, D>>,
    input: &Queued<'d, Q, Picture<'d, Dvpp<D>, Nv12>>,
    canvas: Picture<'d, Dvpp<D>, Nv12>,
    region: Region,
) -> Result<()> {
    let mut canvas = stream.adopt(canvas); //~ mistake
    //~ instead: let mut canvas = stream.adopt(canvas.into_canvas());
    stream.with(channel).crop_paste(input, region, &mut canvas, region)?;
    drop(canvas);
    Ok(())
}
