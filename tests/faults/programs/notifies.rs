//! Signals that carry memory and each other's notifies, and numbers that streams wait for.

use ascendcl::event::{Timing, ValueWait};
use ascendcl::stream::Main;
use ascendcl::{Acl, Npu, Result, StreamName};

enum Second {}
impl StreamName for Second {}

fn main() -> Result<()> {
    let acl = Acl::from_env()?;
    let host = acl.host()?;
    acl.on::<Npu<0>, _>(0, |current| {
        let mut first = current.create_stream::<Main>()?;
        let mut second = current.create_stream::<Second>()?;
        let mut there = first.adopt(current.create_notify(&second)?);
        let mut back = first.adopt(current.create_notify(&first)?);
        let mut memory = first.memset_async(first.malloc::<u32>(16)?, 1)?;
        for _ in 0..2 {
            let signal = first.record_notify(there, memory.and(back))?;
            let (both, used) = second.wait_notify(signal)?;
            let (on_second, to_first) = both.split();
            let on_second = second.memset_async(on_second.forget_contents(), 2)?;
            let signal = second.record_notify(to_first, on_second.and(used))?;
            let (both, used) = first.wait_notify(signal)?;
            (memory, there) = both.accept_unverified().split();
            back = used;
        }
        let seen = first.memcpy_async(first.malloc_host(host, 16)?, &memory)?;
        second.synchronize()?;
        drop(first.synchronize()?.take(seen));
        // One signal is dropped, and one is not taken over.
        drop(first.record_notify(there, memory)?);
        let idle = first.synchronize()?.take(back);
        idle.id()?;
        idle.destroy()?;

        let value = current.create_value()?;
        first.value_write(&value, 3)?;
        second.value_wait(&value, ValueWait::Geq(3))?;
        second.synchronize()?;
        drop(value);

        let mut event = current.create_event::<Timing>()?;
        let recorded = first.record(&mut event)?;
        recorded.id()?;
        recorded.synchronize()?.timestamp()?;
        second.destroy()?;
        first.destroy()
    })
}
