//! Closes a worker, which destroys its communicator, and then sends a last message.

use ascendcl::collective::Comm;
use ascendcl::stream::Main;
use ascendcl::{DeviceBuf, Npu, Queued, Result, Stream};

type D = Npu<0>;
type Q = (D, Main);

struct Worker<'t, 'd> {
    stream: Stream<'t, 'd, D, Main>,
    comm: Queued<'d, Q, Comm<'t, 'd, D>>,
}

impl<'t, 'd> Worker<'t, 'd> {
    fn close(mut self) -> Result<()> {
        self.stream.synchronize()?.take(self.comm).destroy()
    }

    fn tell(&mut self, last: &Queued<'d, Q, DeviceBuf<'d, D, [f32]>>) -> Result<()> {
        let next = self.comm.ranks().next();
        self.stream.with(&self.comm).send(next, last)
    }
}

fn wrong<'t, 'd>(
    mut worker: Worker<'t, 'd>,
    last: &Queued<'d, Q, DeviceBuf<'d, D, [f32]>>,
) -> Result<()> {
    worker.close()?; //~ mistake
    worker.tell(last)?;
    //~ instead: worker.close()?;
    Ok(())
}
