//! Memory, a notify and an event for other processes: exported, used, taken back, and dropped while work uses them. A handle of memory
//! at reserved addresses too: exported, used, closed, and dropped while work uses it.

use std::time::Duration;

use ascendcl::share::Importers;
use ascendcl::stream::Main;
use ascendcl::{Acl, Npu, Result};

fn main() -> Result<()> {
    let acl = Acl::from_env()?;
    let host = acl.host()?;
    acl.on::<Npu<0>, _>(0, |current| {
        let mut stream = current.create_stream::<Main>()?;
        let own = [current.bare_tgid()?];
        let notify = current.create_shared_notify(Importers::Listed(&own))?;
        let memory = current.memset(current.malloc::<f32>(1024)?, 0)?;
        let mut memory = current.export_memory(memory, Importers::Listed(&own))?;
        current.memset(&mut memory, 1)?;
        let mut back = current.malloc_host::<f32>(host, 1024)?;
        current.memcpy(&mut back, &memory)?;
        let ones = stream.memset_async(stream.malloc::<f32>(1024)?, 1)?;
        let mut memory = stream.adopt(memory);
        stream.memcpy_async(&mut memory, &ones)?;
        let mut event = current.create_shared_event()?;
        event.record(&mut stream)?;
        event.synchronize_within(Duration::from_secs(10))?;
        event.record(&mut stream)?;
        drop(event);
        let memory = stream.synchronize()?.take(memory).close(current)?;
        let mut memory = stream.adopt(current.export_memory(memory, Importers::Any)?);
        stream.memcpy_async(memory.slice_mut(0..512)?, ones.slice(512..1024)?)?;
        drop(memory);
        let mut cache = current.reserve_mem_address::<f32>(host, 1024)?;
        current.memset(cache.grow(current, 1024)?, 0)?;
        let mut cache = current.export_memory(cache, Importers::Listed(&own))?;
        current.memset(&mut cache, 1)?;
        current.memcpy(&mut back, &cache)?;
        let mut cache = stream.adopt(cache);
        stream.memcpy_async(&mut cache, &ones)?;
        stream.synchronize()?.take(cache).close(current)?;
        let mut cache = current.reserve_mem_address::<f32>(host, 1024)?;
        current.memset(cache.grow(current, 1024)?, 0)?;
        let mut cache = stream.adopt(current.export_memory(cache, Importers::Any)?);
        stream.memcpy_async(&mut cache, &ones)?;
        drop(cache);
        drop(notify);
        drop(current.create_shared_notify(Importers::Any)?);
        stream.synchronize()?;
        Ok(())
    })
}
