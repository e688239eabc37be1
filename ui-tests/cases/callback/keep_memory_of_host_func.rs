//! Keeps the memory that a host function is lent for longer than the function runs.

use std::sync::mpsc::Sender;

use ascendcl::stream::Main;
use ascendcl::{HostBuf, Npu, Queued, Result, Stream};

fn wrong(
    stream: &mut Stream<'_, '_, Npu<0>>,
    host: &mut Queued<'_, (Npu<0>, Main), HostBuf<'_, [u32]>>,
    results: Sender<&'static [u32]>, //~ mistake
    //~ instead: results: Sender<Vec<u32>>,
) -> Result<()> {
    stream.launch_host_func_on(host, move |numbers| {
        let _ = results.send(numbers); //~ mistake
        //~ instead: let _ = results.send(numbers.to_vec());
    })
}
