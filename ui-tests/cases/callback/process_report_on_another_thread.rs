//! Processes the callbacks of one thread on another thread.

use std::thread;

use ascendcl::callback::Report;
use ascendcl::{Device, Npu, Result, Thread};

fn wrong(thread: &mut Thread, device: &Device<'_, Npu<0>>) -> Result<()> {
    let mut reports = thread.set_current(device)?.report_thread(); //~ mistake
    thread::scope(|scope| {
        scope.spawn(move || -> Result<Report> {
            //~ instead: let mut thread = Thread::claim()?;
            //~ instead: let mut reports = thread.set_current(device)?.report_thread();
            reports.process_report(None)
        });
    });
    Ok(())
}
