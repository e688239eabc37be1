//! Ranks as threads of this process.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::process;
use std::sync::mpsc::channel;
use std::thread;

use ascendcl::Acl;

use crate::Result;
use crate::ranks::exchange::Exchange;
use crate::ranks::{Event, Failure, Rank, Work, attend, complain, status};

/// Runs `work` on `count` threads, each of which is a rank. `print` gets the lines of rank 0.
///
/// If a rank fails, the others may wait for it, and nothing can end a thread. So the process ends then.
pub(crate) fn threads<W: Work>(
    acl: &Acl,
    count: u32,
    work: &W,
    print: &mut dyn FnMut(&str) -> Result<()>,
) -> Result<()> {
    let devices = acl.device_count()?;
    if count > devices {
        return Err(format!(
            "there are {devices} devices for {count} ranks, and each rank has a device of its own: start at most \
             {devices} ranks, or set ASCENDCL_EMULATOR_DEVICES={count} on the emulator"
        )
        .into());
    }
    let (send, events) = channel();
    let (mut to_others, mut exchanges) = (Vec::new(), Vec::new());
    for _ in 1..count {
        let (to, from) = channel();
        to_others.push(to);
        exchanges.push(Exchange::Other(from));
    }
    exchanges.insert(0, Exchange::Root(to_others));
    thread::scope(|threads| {
        for (number, exchange) in (0..).zip(exchanges) {
            let lines = send.clone();
            let rank = Rank {
                number,
                size: count,
                device: number,
                exchange,
                lines: Some(send.clone()),
            };
            threads.spawn(move || {
                let done = catch_unwind(AssertUnwindSafe(|| rank.run(acl, work)));
                let failure = match done {
                    Ok(Ok(())) => None,
                    Ok(Err(error)) => Some(Failure::new(number, &*error)),
                    Err(_) => Some(Failure {
                        rank: number,
                        text: "has panicked".into(),
                        is_consequence: false,
                    }),
                };
                // Nobody receives it only if the process ends.
                let _ = lines.send(Event::Ended(failure));
            });
        }
        attend(&events, count, print).inspect_err(|error| {
            complain(&**error);
            process::exit(i32::from(status(&**error)));
        })
    })
}
