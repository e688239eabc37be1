//! Ranks of the emulator as threads, which add up numbers when they are told to.

use std::sync::mpsc::{Receiver, Sender, channel};
use std::thread;
use std::time::Instant;

use ascendcl::collective::{RootInfo, Sum, World};
use ascendcl::stream::Main;
use ascendcl::{Acl, Current, DeviceTag, Thread};

use crate::Result;

/// What the ranks have to do: the number of elements, and how often.
type Order = (usize, u32);

/// Running ranks.
#[derive(Debug)]
pub struct Group {
    orders: Vec<Sender<Order>>,
    seconds: Receiver<f64>,
    /// The time until all ranks had a communicator.
    pub joined: f64,
}

impl Group {
    /// Returns the seconds of the slowest rank for `iterations` sums of `elements` numbers.
    ///
    /// # Errors
    ///
    /// A rank has failed.
    pub fn sum(&self, elements: usize, iterations: u32) -> Result<f64> {
        for order in &self.orders {
            order.send((elements, iterations))?;
        }
        let mut slowest = 0.0_f64;
        for _ in &self.orders {
            slowest = slowest.max(self.seconds.recv()?);
        }
        Ok(slowest)
    }
}

/// The ends of the channels of a rank.
struct Place {
    number: u32,
    size: u32,
    orders: Receiver<Order>,
    seconds: Sender<f64>,
}

/// Starts `size` ranks, and ends them after `work`.
///
/// # Errors
///
/// A rank has failed, or `work` has.
pub fn with_ranks<R>(acl: &Acl, size: u32, work: impl FnOnce(&Group) -> Result<R>) -> Result<R> {
    let (seconds, results) = channel();
    let (mut orders, mut places) = (Vec::new(), Vec::new());
    for number in 0..size {
        let (order, from) = channel();
        orders.push(order);
        places.push(Place {
            number,
            size,
            orders: from,
            seconds: seconds.clone(),
        });
    }
    drop(seconds);
    let (mut infos, mut froms) = (Vec::new(), Vec::new());
    for _ in 1..size {
        let (info, from) = channel();
        infos.push(info);
        froms.push(Some(from));
    }
    froms.insert(0, None);
    let infos = &infos;
    thread::scope(|threads| {
        let start = Instant::now();
        let running: Vec<_> = places
            .into_iter()
            .zip(froms)
            .map(|(place, from)| threads.spawn(move || rank(acl, &place, infos, from)))
            .collect();
        let mut group = Group {
            orders,
            seconds: results,
            joined: 0.0,
        };
        // The first sum connects the ranks.
        let ready = group.sum(1, 1);
        group.joined = start.elapsed().as_secs_f64();
        let done = ready.and_then(|_| work(&group));
        drop(group);
        for rank in running {
            match rank.join() {
                Ok(ended) => ended?,
                Err(_) => return Err("a rank has panicked".into()),
            }
        }
        done
    })
}

/// A rank on its device.
fn rank(
    acl: &Acl,
    place: &Place,
    infos: &[Sender<RootInfo>],
    from: Option<Receiver<RootInfo>>,
) -> Result<()> {
    let mut thread = Thread::claim()?;
    acl.with_device(&mut thread, place.number, |device, thread| {
        let current = thread.set_current(&device)?;
        let info = match from {
            Some(from) => from.recv()?,
            None => {
                let info = current.root_info(place.size)?;
                for other in infos {
                    other.send(info.clone())?;
                }
                info
            }
        };
        obey(current, place, &info)?;
        Ok(device.reset()?)
    })?
}

/// Adds up numbers in place until there are no more orders.
fn obey<D: DeviceTag>(current: Current<'_, '_, D>, place: &Place, info: &RootInfo) -> Result<()> {
    let comm = current.comm_init_root_info::<World>(info, place.number)?;
    let mut stream = current.create_stream::<Main>()?;
    let comm = stream.adopt(comm);
    for (elements, iterations) in &place.orders {
        let mut numbers = stream.adopt(current.memset(current.malloc::<f32>(elements)?, 0)?);
        // All ranks begin with the clock after this one.
        stream.with(&comm).all_reduce_in_place(Sum, &mut numbers)?;
        stream.synchronize()?;
        let start = Instant::now();
        for _ in 0..iterations {
            stream.with(&comm).all_reduce_in_place(Sum, &mut numbers)?;
            // As gloo, whose call returns when the sum is there.
            stream.synchronize()?;
        }
        place.seconds.send(start.elapsed().as_secs_f64())?;
        stream.synchronize()?.take(numbers).free()?;
    }
    stream.synchronize()?.take(comm).destroy()?;
    Ok(stream.destroy()?)
}
