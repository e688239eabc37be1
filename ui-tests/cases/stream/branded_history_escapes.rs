//! Takes memory out of the closure that has come from the branded stream and that nobody has vouched for.

use ascendcl::event::Order;
use ascendcl::stream::Main;
use ascendcl::{Current, Npu, Result, Stream};

fn wrong<'d>(
    current: Current<'_, 'd, Npu<0>>,
    main: &mut Stream<'_, 'd, Npu<0>, Main>,
) -> Result<()> {
    let mut event = current.create_event::<Order>()?;
    let queued = current.with_stream(|mut stream| -> Result<_> {
        let fresh = stream.adopt(current.malloc::<u32>(16)?);
        let filled = stream.memset_async(fresh, 0)?;
        Ok(stream.handoff(main, &mut event, filled)?) //~ mistake
        //~ instead: Ok(stream.handoff(main, &mut event, filled)?.accept_unverified())
    })??;
    drop(queued);
    Ok(())
}
