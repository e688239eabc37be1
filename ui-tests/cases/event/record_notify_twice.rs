//! Records a notify twice, without a wait between both.

use ascendcl::event::Notify;
use ascendcl::stream::Main;
use ascendcl::{HostBuf, Npu, Queued, Result, Stream, StreamName};

enum Second {}
impl StreamName for Second {}

type Q = (Npu<0>, Main);
type Memory<'d> = Queued<'d, Q, HostBuf<'d, [u32]>>;

fn wrong<'d>(
    stream: &mut Stream<'_, 'd, Npu<0>>,
    second: &mut Stream<'_, 'd, Npu<0>, Second>,
    notify: Queued<'d, Q, Notify<'d, Npu<0>, Second>>,
    (one, other): (Memory<'d>, Memory<'d>),
) -> Result<()> {
    let first = stream.record_notify(notify, one)?; //~ mistake
    //~ instead: let first = stream.record_notify(notify, one.and(other))?;
    let again = stream.record_notify(notify, other)?; //~ mistake
    drop(second.wait_notify(first)?);
    drop(second.wait_notify(again)?); //~ mistake
    Ok(())
}
