//! Counters that streams change and wait for, on the product that has them.

use std::num::NonZeroU32;
use std::time::Duration;

use ascendcl::emulator::EmulatorConfig;
use ascendcl::event::{CntNotifyRecord, CntNotifyWait};
use ascendcl::stream::Main;
use ascendcl::{Acl, Npu, Result, StreamName};

enum Second {}
impl StreamName for Second {}

fn main() -> Result<()> {
    // The faults are in the environment.
    let config = EmulatorConfig::from_env().unwrap_or_default();
    let acl = Acl::emulator(config.with_soc_name("Ascend950PR_9599"))?;
    acl.on::<Npu<0>, _>(0, |current| {
        let mut first = current.create_stream::<Main>()?;
        let mut second = current.create_stream::<Second>()?;
        let counter = current.create_cnt_notify()?;
        counter.id()?;
        let one = NonZeroU32::MIN;
        let limit = Duration::from_secs(3600);
        first.cnt_notify_record(&counter, CntNotifyRecord::Add(one))?;
        second.cnt_notify_wait_within(&counter, CntNotifyWait::BiggerOrEqual(one), limit)?;
        second.cnt_notify_reset(&counter)?;
        first.cnt_notify_wait_within(&counter, CntNotifyWait::Less(one), limit)?;
        drop(counter);
        first.synchronize()?;
        second.synchronize()?;
        drop(current.create_cnt_notify()?);
        second.destroy()?;
        first.destroy()
    })
}
