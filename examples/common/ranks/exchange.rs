//! How the root information gets from rank 0 to the others: through channels between threads, through TCP otherwise.

use std::collections::BTreeSet;
use std::io::{self, ErrorKind, Read, Write};
use std::net::{TcpListener, TcpStream};
use std::sync::mpsc::{Receiver, Sender};
use std::thread;
use std::time::{Duration, Instant};

use crate::Result;
use crate::ranks::Abandoned;

/// How long the ranks wait for each other.
const LIMIT: Duration = Duration::from_secs(60);
/// How long a rank waits before it says for whom.
const PATIENCE: Duration = Duration::from_secs(3);
/// How often they look.
const PAUSE: Duration = Duration::from_millis(10);
/// How long a connection may say nothing.
const SILENCE: Duration = Duration::from_secs(5);
/// The first bytes of a rank. Its number and the number of ranks follow, 4 bytes each.
const MAGIC: [u8; 8] = *b"ascendcl";
/// The most bytes of a root information that are accepted.
const MOST: u32 = 1 << 16;

/// The way of a rank to the others.
#[derive(Debug)]
pub(crate) enum Exchange {
    /// Rank 0 of threads has a channel to each other rank.
    Root(Vec<Sender<Vec<u8>>>),
    /// The other ranks of threads.
    Other(Receiver<Vec<u8>>),
    /// Rank 0 of processes listens here.
    Network { host: String, port: u16 },
}

impl Exchange {
    /// Sends the root information to all other ranks.
    pub(crate) fn send(&self, size: u32, info: &[u8]) -> Result<()> {
        match self {
            Exchange::Root(others) => {
                // A rank that has ended reports its own error.
                others.iter().for_each(|other| {
                    let _ = other.send(info.to_vec());
                });
                Ok(())
            }
            Exchange::Other(_) => Err("only rank 0 sends the root information".into()),
            Exchange::Network { .. } if size == 1 => Ok(()),
            Exchange::Network { host, port } => {
                let listener = TcpListener::bind((host.as_str(), *port)).map_err(|error| {
                    format!(
                        "rank 0 cannot listen at {host}:{port}: {error}; give MASTER_ADDR an address of the machine \
                         of rank 0, and MASTER_PORT a free port"
                    )
                })?;
                serve(&listener, size, info, &format!("{host}:{port}"))
            }
        }
    }

    /// Receives the root information of rank 0.
    pub(crate) fn receive(&self, rank: u32, size: u32) -> Result<Vec<u8>> {
        match self {
            Exchange::Root(_) => Err("rank 0 receives no root information".into()),
            Exchange::Other(root) => root.recv().map_err(|_| ended()),
            Exchange::Network { host, port } => {
                let mut wait = Wait::new();
                let mut stream = loop {
                    match TcpStream::connect((host.as_str(), *port)) {
                        Ok(stream) => break stream,
                        Err(_) if wait.goes_on() => {
                            wait.say(|| {
                                format!("rank {rank} of {size} waits for rank 0 at {host}:{port}")
                            });
                        }
                        Err(error) => {
                            return Err(Abandoned(format!(
                                "rank 0 does not answer at {host}:{port}: {error}; start rank 0, and give all ranks \
                                 its MASTER_ADDR and MASTER_PORT"
                            ))
                            .into());
                        }
                    }
                };
                ask(&mut stream, rank, size).map_err(|_| ended())
            }
        }
    }
}

fn ended() -> Box<dyn std::error::Error + Send + Sync> {
    Abandoned("rank 0 ended before it sent the root information".into()).into()
}

/// Says who this rank is, and reads the root information.
fn ask(stream: &mut TcpStream, rank: u32, size: u32) -> io::Result<Vec<u8>> {
    stream.set_read_timeout(Some(LIMIT))?;
    let hello = [&MAGIC[..], &rank.to_le_bytes()[..], &size.to_le_bytes()[..]];
    stream.write_all(&hello.concat())?;
    let len = number(stream)?;
    if len > MOST {
        return Err(ErrorKind::InvalidData.into());
    }
    let mut info = vec![0; len as usize];
    stream.read_exact(&mut info)?;
    Ok(info)
}

/// A wait of a rank for others, which says once for whom.
struct Wait {
    since: Instant,
    has_said: bool,
}

impl Wait {
    fn new() -> Wait {
        Wait {
            since: Instant::now(),
            has_said: false,
        }
    }

    fn goes_on(&self) -> bool {
        self.since.elapsed() < LIMIT
    }

    /// Pauses. After a while it writes `text` to stderr, once.
    fn say(&mut self, text: impl FnOnce() -> String) {
        if !self.has_said && self.since.elapsed() >= PATIENCE {
            self.has_said = true;
            let left = (LIMIT - PATIENCE).as_secs();
            // If stderr is closed, nobody wants to know.
            let _ = writeln!(io::stderr(), "{}, for {left} s more", text());
        }
        thread::sleep(PAUSE);
    }
}

/// Waits for all other ranks, and sends them the root information.
fn serve(listener: &TcpListener, size: u32, info: &[u8], at: &str) -> Result<()> {
    listener.set_nonblocking(true)?;
    let mut wait = Wait::new();
    let mut here = BTreeSet::new();
    let mut streams = Vec::new();
    while streams.len() + 1 < size as usize {
        let mut stream = match listener.accept() {
            Ok((stream, _)) => stream,
            Err(_) if wait.goes_on() => {
                let missing = first_missing(size, &here);
                wait.say(|| format!("rank 0 of {size} waits for rank {missing} at {at}"));
                continue;
            }
            Err(_) => {
                let missing = first_missing(size, &here);
                return Err(format!(
                    "rank {missing} of {size} did not come within {} s: start every rank",
                    LIMIT.as_secs()
                )
                .into());
            }
        };
        // Whoever is no rank of this program is not answered.
        let Ok(Some((rank, its_size))) = hear(&mut stream) else {
            continue;
        };
        if its_size != size || rank == 0 || rank >= size {
            return Err(format!(
                "a process came as RANK {rank} of WORLD_SIZE {its_size}, and rank 0 has WORLD_SIZE {size}: give all \
                 ranks one WORLD_SIZE"
            )
            .into());
        }
        if !here.insert(rank) {
            return Err(format!(
                "two processes came as RANK {rank}: give each rank a number of its own"
            )
            .into());
        }
        streams.push(stream);
    }
    for mut stream in streams {
        // CAST: a root information has 4108 bytes.
        let len = (info.len() as u32).to_le_bytes();
        // A rank that has ended reports its own error.
        let _ = stream.write_all(&len).and_then(|()| stream.write_all(info));
    }
    Ok(())
}

/// Returns the first rank that has not come.
fn first_missing(size: u32, here: &BTreeSet<u32>) -> u32 {
    (1..size).find(|rank| !here.contains(rank)).unwrap_or(0)
}

/// Reads who a rank is. `None` is not a rank.
fn hear(stream: &mut TcpStream) -> io::Result<Option<(u32, u32)>> {
    stream.set_nonblocking(false)?;
    stream.set_read_timeout(Some(SILENCE))?;
    let mut magic = [0; MAGIC.len()];
    stream.read_exact(&mut magic)?;
    if magic != MAGIC {
        return Ok(None);
    }
    Ok(Some((number(stream)?, number(stream)?)))
}

fn number(stream: &mut TcpStream) -> io::Result<u32> {
    let mut bytes = [0; 4];
    stream.read_exact(&mut bytes)?;
    Ok(u32::from_le_bytes(bytes))
}
