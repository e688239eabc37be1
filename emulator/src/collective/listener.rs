//! The listener of the process: the port where ranks of other processes come to a [`Rendezvous`] of this process.
//!
//! It listens while ranks can still come: from the first root information until all of its ranks have come.

use std::io::{self, Write};
use std::net::{Ipv4Addr, SocketAddr, TcpListener, TcpStream};
use std::process;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::{Duration, Instant};

use ascendcl_sys::{HCCL_E_TCP_CONNECT, HcclResult};

use super::blob::{Root, Secret};
use super::join::Joiner;
use super::limits::Limits;
use super::rendezvous::{Member, Refusal, Rendezvous, Verdict};
use super::wire::{self, Reader, Writer, malformed};
use super::world::World;
use crate::sorted::Sorted;
use crate::sync::{Mutex, lock, threads};

/// The first bytes that a rank sends.
const GREETING: u64 = u64::from_ne_bytes(*b"hccl-cpu");
/// The time that a connection has to say what it wants.
const PATIENCE: Duration = Duration::from_secs(5);
/// The most root informations that wait for their ranks. The oldest one is forgotten for the next one.
const MOST: usize = 1024;

/// The root informations of this process whose ranks have not all come.
static PENDING: Mutex<Pending> = Mutex::new(Pending {
    made: 0,
    entries: Sorted::new(),
    listener: None,
});

#[derive(Debug)]
struct Pending {
    made: u64,
    /// By their order.
    entries: Sorted<u64, (Root, Arc<Rendezvous>)>,
    listener: Option<Listener>,
}

impl Pending {
    fn find(&self, name: &str, secret: Secret) -> Option<(u64, Arc<Rendezvous>)> {
        let mut entries = self.entries.iter();
        let is_it = |root: &Root| root.name == name && root.secret == secret;
        let (number, (_, found)) = entries.find(|(_, (root, _))| is_it(root))?;
        Some((*number, Arc::clone(found)))
    }
}

/// A listening port with its thread. It closes when this is dropped.
#[derive(Debug)]
struct Listener {
    port: u16,
    is_closed: Arc<AtomicBool>,
}

impl Listener {
    fn open() -> io::Result<Listener> {
        let socket = listen()?;
        let port = socket.local_addr()?.port();
        let is_closed = Arc::new(AtomicBool::new(false));
        let listener = Listener {
            port,
            is_closed: Arc::clone(&is_closed),
        };
        let serve = move || serve(&socket, &is_closed);
        if threads::start(String::from("ascendcl-listen"), Box::new(serve)) {
            Ok(listener)
        } else {
            Err(io::Error::from(io::ErrorKind::OutOfMemory))
        }
    }
}

impl Drop for Listener {
    fn drop(&mut self) {
        self.is_closed.store(true, Ordering::Release);
        // Wakes the thread.
        let _ = TcpStream::connect_timeout(&at(self.port), PATIENCE);
    }
}

/// Listens at a port that is free.
pub(super) fn listen() -> io::Result<TcpListener> {
    TcpListener::bind(at(0))
}

/// A port of this machine that no other machine reaches.
pub(super) fn at(port: u16) -> SocketAddr {
    SocketAddr::from((Ipv4Addr::LOCALHOST, port))
}

/// Makes a root information for a device.
pub(super) fn make(device: u32) -> Result<Root, Refusal> {
    let mut pending = lock(&PENDING);
    let port = match &pending.listener {
        Some(listener) => listener.port,
        None => {
            let listener = Listener::open().map_err(|error| {
                Refusal::new(
                    HCCL_E_TCP_CONNECT,
                    format!("no port of this machine can be opened: {error}"),
                )
            })?;
            pending.listener.insert(listener).port
        }
    };
    if pending.entries.len() >= MOST {
        // One that no rank has come to, if there is any.
        let mut entries = pending.entries.iter();
        let unused = entries.find(|(_, (_, rendezvous))| rendezvous.is_empty());
        let oldest = unused.or(pending.entries.iter().next());
        if let Some(oldest) = oldest.map(|(number, _)| *number) {
            pending.entries.remove(&oldest);
        }
    }
    let root = Root::new(port, device);
    pending.made += 1;
    let number = pending.made;
    pending
        .entries
        .insert(number, (root.clone(), Arc::default()));
    Ok(root)
}

/// Removes a rendezvous that is over, and ends the listener with the last one.
fn over(number: u64) {
    let mut pending = lock(&PENDING);
    pending.entries.remove(&number);
    let listener = if pending.entries.is_empty() {
        pending.listener.take()
    } else {
        None
    };
    drop(pending);
    // Without the lock, because the thread of the listener takes it.
    drop(listener);
}

/// Forgets a root information of this process to which no rank comes.
pub(super) fn forget(root: &Root) {
    let found = lock(&PENDING).find(&root.name, root.secret);
    if let Some((number, _)) = found {
        over(number);
    }
}

/// The ranks that have all come.
#[derive(Debug)]
pub(super) enum Met {
    /// They are threads of this process.
    Together(Arc<World>),
    /// Each one waits at a port.
    Apart(Vec<u16>),
}

/// Comes to the rendezvous of a root as a rank that waits at this port, and waits for the others.
pub(super) fn meet(root: &Root, of: Joiner, port: u16, limits: Limits) -> Result<Met, Refusal> {
    let until = Instant::now() + limits.join;
    let found = lock(&PENDING).find(&root.name, root.secret);
    let Some((number, rendezvous)) = found else {
        return visit(root, of, port, limits.join);
    };
    let member = Member {
        place: (of.server, of.device),
        port,
        process: process::id(),
    };
    rendezvous.enter((of.rank, of.size), member)?;
    let verdict = rendezvous.wait(of.rank, until, None);
    over(number);
    match verdict {
        Verdict::Together => Ok(Met::Together(rendezvous.world(of.size, limits))),
        Verdict::Apart(ports) => Ok(Met::Apart(ports)),
        Verdict::Failed(refusal) => Err(refusal),
    }
}

/// Comes to a rendezvous of another process.
fn visit(root: &Root, of: Joiner, port: u16, limit: Duration) -> Result<Met, Refusal> {
    let unreachable = |error: io::Error| {
        Refusal::new(
            HCCL_E_TCP_CONNECT,
            format!(
                "rank {} does not reach the process that made the root information, at port {} of this machine: \
                 {error}; that process has to live until all ranks have joined, and its port closes when all ranks \
                 have joined or one has failed to",
                of.rank, root.port
            ),
        )
    };
    let mut stream =
        TcpStream::connect_timeout(&at(root.port), limit.max(Duration::from_millis(1)))
            .map_err(unreachable)?;
    let Joiner {
        rank,
        size,
        server,
        device,
    } = of;
    let numbers = [size, rank, server, device, u32::from(port), process::id()];
    let request = Writer::default()
        .long(GREETING)
        .bytes(&root.secret)
        .bytes(root.name.as_bytes())
        .longs(numbers.into_iter().map(u64::from))
        .long(u64::try_from(limit.as_millis()).unwrap_or(u64::MAX))
        .end(0);
    stream.write_all(&request).map_err(unreachable)?;
    // A little longer than the other end, which knows who is missing.
    let _ = stream.set_read_timeout(Some(limit + PATIENCE));
    let answer = wire::greeting(&mut stream).map_err(unreachable)?;
    let ports = answered(&answer).map_err(unreachable)?;
    Ok(Met::Apart(ports?))
}

/// Reads an answer: the ports of all ranks, or a refusal.
fn answered(answer: &[u8]) -> io::Result<Result<Vec<u16>, Refusal>> {
    let mut answer = Reader::new(answer);
    if answer.byte()? == 0 {
        let ports = answer.longs()?.into_iter();
        let port = |port| u16::try_from(port).map_err(|_| malformed());
        return Ok(Ok(ports.map(port).collect::<io::Result<_>>()?));
    }
    let code = HcclResult(answer.number()?);
    Ok(Err(Refusal::new(code, answer.text()?)))
}

/// Answers the ranks of other processes until the listener ends.
fn serve(listener: &TcpListener, is_closed: &AtomicBool) {
    loop {
        let accepted = listener.accept();
        if is_closed.load(Ordering::Acquire) {
            return;
        }
        match accepted {
            Ok((stream, _)) => {
                let answer = move || {
                    // A rank that has gone needs no answer.
                    let _ = answer(stream);
                };
                threads::start(String::from("ascendcl-rank"), Box::new(answer));
            }
            // For example no descriptor is free. Others may end meanwhile.
            Err(_) => thread::sleep(Duration::from_millis(10)),
        }
    }
}

/// Answers one rank of another process when all ranks have come.
fn answer(mut stream: TcpStream) -> io::Result<()> {
    stream.set_read_timeout(Some(PATIENCE))?;
    stream.set_write_timeout(Some(PATIENCE))?;
    let request = wire::greeting(&mut stream)?;
    let mut request = Reader::new(&request);
    if request.long()? != GREETING {
        return Err(malformed());
    }
    let secret = *request.bytes()?.first_chunk().ok_or_else(malformed)?;
    let name = request.text()?;
    let numbers = request.longs()?.into_iter();
    let numbers = numbers.map(|number| u32::try_from(number).map_err(|_| malformed()));
    let numbers = numbers.collect::<io::Result<Vec<_>>>()?;
    let [size, rank, server, device, port, process] = numbers.as_slice() else {
        return Err(malformed());
    };
    let member = Member {
        place: (*server, *device),
        port: u16::try_from(*port).map_err(|_| malformed())?,
        process: *process,
    };
    let limit = Duration::from_millis(request.long()?);
    let until = Instant::now().checked_add(limit).ok_or_else(malformed)?;
    let found = lock(&PENDING).find(&name, secret);
    let verdict = match found {
        None => Verdict::Failed(Refusal::new(
            HCCL_E_TCP_CONNECT,
            format!(
                "rank {rank} comes too late: the root information {name} is used up, because all of its ranks have \
                 joined or one has failed to; call HcclGetRootInfo again"
            ),
        )),
        Some((number, rendezvous)) => match rendezvous.enter((*rank, *size), member) {
            Err(refusal) => Verdict::Failed(refusal),
            Ok(()) => {
                let verdict = rendezvous.wait(*rank, until, Some(&|| has_ended(&stream)));
                over(number);
                verdict
            }
        },
    };
    let answer = match verdict {
        // This rank is in another process, so not all are in this one.
        Verdict::Together => return Err(malformed()),
        Verdict::Apart(ports) => {
            let ports = ports.into_iter().map(u64::from);
            Writer::default().byte(0).longs(ports)
        }
        Verdict::Failed(Refusal { code, text }) => {
            let code = u64::try_from(code.0).unwrap_or(0);
            Writer::default().byte(1).long(code).bytes(text.as_bytes())
        }
    };
    stream.write_all(&answer.end(0))
}

/// Returns whether the other end of a connection is closed. It sends nothing while it waits.
fn has_ended(stream: &TcpStream) -> bool {
    if stream.set_nonblocking(true).is_err() {
        return true;
    }
    let ended = match stream.peek(&mut [0]) {
        Ok(len) => len == 0,
        Err(error) => error.kind() != io::ErrorKind::WouldBlock,
    };
    ended || stream.set_nonblocking(false).is_err()
}
