//! Functions of the program that streams call: host functions, callbacks of a serving thread, and the function for
//! failed tasks.

use std::panic::resume_unwind;
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, TryRecvError, channel};
use std::thread;
use std::time::Duration;

use ascendcl::callback::{Report, ReportThreadId};
use ascendcl::stream::Main;
use ascendcl::{Acl, Current, Npu, Result, StreamName, Thread};

enum Served {}
impl StreamName for Served {}

fn main() -> Result<()> {
    let mut acl = Acl::from_env()?;
    acl.set_exception_info_callback(Some(|_| {}))?;
    let mut token = Thread::claim()?;
    let device = acl.set_device::<Npu<0>>(&mut token, 0)?;
    {
        let current = token.set_current(&device)?;
        let mut stream = current.create_stream::<Main>()?;
        let fresh = stream.malloc::<u8>(64)?;
        let filled = stream.memset_async(fresh, 1)?;
        stream.launch_host_func(|| {})?;
        stream.synchronize()?.take(filled).free()?;
        stream.destroy()?;
    }
    let served = thread::scope(|scope| {
        let ((send, receive), (go, subscribed)) = (channel(), channel());
        let device = &device;
        let server = scope.spawn(move || -> Result<()> {
            let mut token = Thread::claim()?;
            let mut reports = token.set_current(device)?.report_thread();
            // The other thread may have failed.
            let _ = send.send(reports.id());
            if subscribed.recv().is_err() {
                return Ok(());
            }
            let mut failed = None;
            loop {
                match reports.process_report(Some(Duration::from_millis(5))) {
                    Ok(Report::Called) => {}
                    // A stream whose end was refused stays subscribed.
                    Ok(Report::TimeUp)
                        if subscribed.try_recv() != Err(TryRecvError::Disconnected) => {}
                    Ok(Report::TimeUp | Report::NoStream) => break,
                    // The stream waits for its callbacks, so the thread serves it as long as it is there.
                    Err(error) => {
                        failed = failed.or(Some(error));
                        let pause = Duration::from_millis(1);
                        if subscribed.recv_timeout(pause) == Err(RecvTimeoutError::Disconnected) {
                            break;
                        }
                    }
                }
            }
            failed.map_or(Ok(()), Err)
        });
        let served = serve(token.set_current(device)?, &receive, &go);
        drop(go);
        let server = server.join().unwrap_or_else(|panic| resume_unwind(panic));
        served.and(server)
    });
    served?;
    device.reset()?;
    acl.set_exception_info_callback(None)
}

/// Queues a callback on a stream that the other thread serves.
fn serve(
    current: Current<'_, '_, Npu<0>>,
    ids: &Receiver<ReportThreadId<Npu<0>>>,
    go: &Sender<()>,
) -> Result<()> {
    // Without an id, the other thread has failed and returns its error.
    let Ok(id) = ids.recv() else { return Ok(()) };
    let mut stream = current.create_stream::<Served>()?;
    let subscribed = stream.subscribe_report(&id)?;
    // The server waits for this, so the channel is open.
    let _ = go.send(());
    stream.launch_callback(&subscribed, || {})?;
    // This wait has time slices, so it ends although the other thread cannot run the callback any more.
    stream.unsubscribe_report(subscribed)?;
    stream.synchronize()?;
    stream.destroy()
}
