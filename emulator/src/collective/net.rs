//! The connections of a rank to the ranks of other processes.
//!
//! Each pair of ranks has one connection. A thread for each connection reads the messages and gives them to the
//! [`World`] that they are about: the communicator of the rank, or a part of it. So a rank that sends never waits for
//! the operations of the receiver.

use std::io::{self, ErrorKind, Write};
use std::net::{Shutdown, TcpListener, TcpStream};
use std::sync::{Arc, Weak};
use std::thread;
use std::time::{Duration, Instant};

use ascendcl_sys::{HCCL_E_SYSCALL, HCCL_E_TCP_CONNECT, HCCL_E_TIMEOUT};

use super::blob::Secret;
use super::byte_span::ByteSpan;
use super::frame::Frame;
use super::key::Gone;
use super::limits::Limits;
use super::listener::at;
use super::rendezvous::Refusal;
use super::wire::{self, Reader, Writer, malformed};
use super::world::World;
use crate::results::list_of;
use crate::sorted::{Sorted, SortedSet};
use crate::sync::{Mutex, lock, threads};

/// The name of the communicator of all ranks. Parts of it have longer names.
pub(super) const ALL: &str = "";
/// The time that a new connection has to say which rank it is.
const PATIENCE: Duration = Duration::from_secs(1);
/// The time between two looks for a new connection.
const LOOK: Duration = Duration::from_millis(1);
/// The bytes that are sent at a time.
const CHUNK: usize = 256 << 10;

/// The connections of a rank.
#[derive(Debug)]
pub(super) struct Net {
    /// By rank; that of the own rank is empty.
    links: Vec<Option<Mutex<TcpStream>>>,
    channels: Mutex<Channels>,
}

#[derive(Debug, Default)]
struct Channels {
    worlds: Sorted<String, Weak<World>>,
    /// The ranks that have joined a part before this one.
    early: Sorted<String, SortedSet<u32>>,
    /// The ranks whose connections are closed.
    lost: SortedSet<u32>,
}

impl Net {
    /// Connects a rank with the others, whose ports these are. The others connect with `listener`.
    pub(super) fn connect(
        rank: u32,
        ports: &[u16],
        secret: &Secret,
        listener: &TcpListener,
        limits: Limits,
    ) -> Result<Arc<Net>, Refusal> {
        let until = Instant::now() + limits.join;
        let mut links: Vec<Option<TcpStream>> = list_of(ports.iter().map(|_| None));
        for (other, (link, port)) in (0..rank).zip(links.iter_mut().zip(ports)) {
            let made = call_on(*port, rank, secret, until);
            let made = made.map_err(|error| {
                let text = format!(
                    "rank {rank} does not reach rank {other}: {error}; its process has ended"
                );
                Refusal::new(HCCL_E_TCP_CONNECT, text)
            })?;
            *link = Some(made);
        }
        let is_open = |links: &[Option<TcpStream>]| {
            let behind = (0_u32..).zip(links).filter(|(other, _)| *other > rank);
            let mut open = behind.filter(|(_, link)| link.is_none());
            open.next().map(|(other, _)| other)
        };
        let _ = listener.set_nonblocking(true);
        while let Some(missing) = is_open(&links) {
            if let Ok((stream, _)) = listener.accept() {
                // Whoever does not know the secret is not one of the ranks.
                if let Ok((other, stream)) = hear(stream, secret)
                    && other > rank
                    && let Some(link) = links.get_mut(other as usize)
                {
                    *link = Some(stream);
                }
            } else if until <= Instant::now() {
                let text = format!(
                    "rank {missing} did not connect with rank {rank} in time; its process has ended"
                );
                return Err(Refusal::new(HCCL_E_TIMEOUT, text));
            } else {
                thread::sleep(LOOK);
            }
        }
        Ok(Arc::new(Net {
            links: list_of(links.into_iter().map(|link| link.map(Mutex::new))),
            channels: Mutex::default(),
        }))
    }

    /// Starts the threads that read. The world of all ranks has been added, so that no message is lost.
    pub(super) fn start(self: &Arc<Net>, limits: Limits) -> Result<(), Refusal> {
        for (other, link) in (0_u32..).zip(&self.links) {
            let Some(link) = link else { continue };
            self.read_from(other, &lock(link), limits)
                .map_err(|error| {
                    let text = format!("the connection to rank {other} cannot be read: {error}");
                    Refusal::new(HCCL_E_SYSCALL, text)
                })?;
        }
        Ok(())
    }

    fn read_from(self: &Arc<Net>, other: u32, link: &TcpStream, limits: Limits) -> io::Result<()> {
        link.set_nodelay(true)?;
        link.set_read_timeout(None)?;
        link.set_write_timeout(limits.execute.filter(|limit| !limit.is_zero()))?;
        let stream = link.try_clone()?;
        let net = Arc::downgrade(self);
        let read = move || Net::listen(&net, other, stream);
        if threads::start(format!("ascendcl-rank-{other}"), Box::new(read)) {
            Ok(())
        } else {
            Err(io::Error::from(ErrorKind::OutOfMemory))
        }
    }

    /// Reads the messages of a rank until the connection is closed.
    fn listen(net: &Weak<Net>, from: u32, mut stream: TcpStream) {
        loop {
            let read = wire::read(&mut stream).and_then(|(head, bytes)| Frame::read(&head, bytes));
            let Some(net) = net.upgrade() else { return };
            match read {
                Ok((channel, frame)) => net.deliver(from, &channel, frame),
                Err(_) => return net.lost(from),
            }
        }
    }

    fn deliver(&self, from: u32, channel: &str, frame: Frame) {
        // Dropped without the lock, because the end of a world takes it.
        let world;
        {
            let mut channels = lock(&self.channels);
            world = channels.worlds.get(channel).and_then(Weak::upgrade);
            match frame {
                Frame::Join => {
                    let joins = world.as_ref().is_some_and(|world| world.note_joined(from));
                    if !joins {
                        let early = channels
                            .early
                            .get_or_insert_with(channel.to_owned(), SortedSet::new);
                        early.add(from);
                    }
                    return;
                }
                Frame::Leave => {
                    if let Some(early) = channels.early.get_mut(channel) {
                        early.remove(&from);
                        if early.is_empty() {
                            channels.early.remove(channel);
                        }
                    }
                }
                _ => {}
            }
        }
        if let Some(world) = world {
            world.deliver(from, frame);
        }
    }

    /// Notes that the connection of a rank is closed.
    fn lost(&self, rank: u32) {
        let worlds: Vec<_> = {
            let mut channels = lock(&self.channels);
            channels.lost.add(rank);
            list_of(channels.worlds.values().filter_map(Weak::upgrade))
        };
        for world in worlds {
            world.note_gone(rank, Gone::Ended);
        }
    }

    /// Sends a message to a rank. If that fails, the connection is closed.
    ///
    /// The thread that reads notes the loss, because a rank that has ended may have said before that it has destroyed its
    /// communicator, and that message is still to be read.
    pub(super) fn send(&self, to: u32, message: &[u8], payload: Option<ByteSpan<'_>>) {
        let Some(Some(link)) = self.links.get(to as usize) else {
            return;
        };
        let mut link = lock(link);
        let sent = link
            .write_all(message)
            .and_then(|()| payload.map_or(Ok(()), |payload| write(&mut link, &payload)));
        if sent.is_err() {
            // A message without its end cannot be followed by another one. An error says that it is closed already.
            let _ = link.shutdown(Shutdown::Both);
        }
    }

    /// Adds a world under a name. `make` gets the ranks that have joined it already, and those that are lost.
    pub(super) fn add(
        &self,
        channel: &str,
        make: impl FnOnce(SortedSet<u32>, &SortedSet<u32>) -> Arc<World>,
    ) -> Arc<World> {
        let mut channels = lock(&self.channels);
        let early = channels.early.remove(channel).unwrap_or_default();
        let world = make(early, &channels.lost);
        channels
            .worlds
            .insert(channel.to_owned(), Arc::downgrade(&world));
        world
    }

    /// Removes a world that ends, unless its name has another one by now.
    pub(super) fn remove(&self, channel: &str) {
        let mut channels = lock(&self.channels);
        let ended = channels.worlds.get(channel);
        if ended.is_some_and(|world| world.strong_count() == 0) {
            channels.worlds.remove(channel);
        }
    }
}

impl Drop for Net {
    fn drop(&mut self) {
        // The threads that read see the end.
        for link in self.links.iter().flatten() {
            let _ = lock(link).shutdown(Shutdown::Both);
        }
    }
}

/// Connects with a rank that waits at a port.
fn call_on(port: u16, rank: u32, secret: &Secret, until: Instant) -> io::Result<TcpStream> {
    let left = until.saturating_duration_since(Instant::now());
    let mut stream = TcpStream::connect_timeout(&at(port), left.max(LOOK))?;
    let greeting = Writer::default().bytes(secret).long(u64::from(rank));
    stream.write_all(&greeting.end(0))?;
    Ok(stream)
}

/// Returns the rank that has connected.
fn hear(mut stream: TcpStream, secret: &Secret) -> io::Result<(u32, TcpStream)> {
    stream.set_nonblocking(false)?;
    stream.set_read_timeout(Some(PATIENCE))?;
    let greeting = wire::greeting(&mut stream)?;
    let mut greeting = Reader::new(&greeting);
    if greeting.bytes()? != secret {
        return Err(malformed());
    }
    Ok((greeting.number()?, stream))
}

/// Sends bytes of device memory.
fn write(link: &mut TcpStream, payload: &ByteSpan<'_>) -> io::Result<()> {
    let mut chunk = vec![0; CHUNK.min(payload.len())];
    for start in (0..payload.len()).step_by(CHUNK) {
        let len = CHUNK.min(payload.len() - start);
        if let Some(part) = chunk.get_mut(..len) {
            payload.read(start, part);
            link.write_all(part)?;
        }
    }
    Ok(())
}
