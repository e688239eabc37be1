//! How do two processes share device memory?
//!
//! One process owns a frame, and another one fills it. A notify says that the frame is filled, and an event that it was taken, each
//! behind the work of a stream. Lines and keys in pipes say that a process has recorded one of them. If one process ends early, a
//! pipe of the other one ends, or its wait has a limit.
#![expect(clippy::print_stdout, reason = "an example shows what it did")]

use std::io::{BufRead, BufReader, Read, Write, stdin};
use std::process::{Child, Command, Stdio};
use std::time::Duration;

use ascendcl::share::{EventKey, Importers, MemoryKey, NotifyKey};
use ascendcl::{Acl, Npu, Thread, stream::Main};

type Outcome = Result<(), Box<dyn std::error::Error>>;

const BYTES: usize = 4096;
const LIMIT: Duration = Duration::from_secs(5);

/// The process that fills the frames. It ends when its pipe does.
struct Producer(Child);

impl Drop for Producer {
    fn drop(&mut self) {
        let _ = self.0.wait();
    }
}

fn main() -> Outcome {
    if std::env::args().len() > 1 {
        produce()
    } else {
        consume()
    }
}

fn consume() -> Outcome {
    let (acl, mut thread) = (Acl::from_env()?, Thread::claim()?);
    let device = acl.set_device::<Npu<0>>(&mut thread, 0)?;
    let current = thread.set_current(&device)?;
    let mut stream = current.create_stream::<Main>()?;
    let (shared, mut filled, mut taken); // in front of the producer: they are dropped behind it
    let mut command = Command::new(std::env::current_exe()?);
    command.arg("produce").stdin(Stdio::piped());
    let mut producer = Producer(command.stdout(Stdio::piped()).spawn()?);
    let from = producer.0.stdout.take().ok_or("no pipe")?;
    let mut from = BufReader::new(from).lines();
    let mut to = producer.0.stdin.take().ok_or("no pipe")?;

    let number = from.next().ok_or("the producer has ended")??;
    let importers = [number.parse()?];
    let frame = current.memset(current.malloc::<u8>(BYTES)?, 0)?;
    let frame = current.export_memory(frame, Importers::Listed(&importers))?;
    filled = current.create_shared_notify(Importers::Listed(&importers))?;
    taken = current.create_shared_event()?;
    to.write_all(&frame.key().to_bytes())?;
    to.write_all(&filled.key().to_bytes())?;
    shared = stream.adopt(frame);
    for _ in 0..3 {
        let what = from.next().ok_or("the producer has ended")??;
        filled.wait_and_reset(&mut stream, LIMIT)?;
        let here = stream.memcpy_async(stream.malloc_host(acl.host()?, BYTES)?, &shared)?;
        to.write_all(&taken.record(&mut stream)?.to_bytes())?; // the same key each time
        let here = stream.synchronize()?.take(here); // an error if it was not filled in time
        let byte = here.first().ok_or("no bytes")?;
        println!("{what}: {} times {byte}", here.len());
    }
    Ok(())
}

fn produce() -> Outcome {
    let (acl, mut thread) = (Acl::from_env()?, Thread::claim()?);
    let device = acl.set_device::<Npu<0>>(&mut thread, 0)?;
    let current = thread.set_current(&device)?;
    let mut stream = current.create_stream::<Main>()?;
    println!("{}", current.bare_tgid()?);
    let (mut memory, mut notify, mut event) = ([0; 73], [0; 65], [0; 64]);
    stdin().read_exact(&mut memory)?;
    stdin().read_exact(&mut notify)?;
    let mut filled = current.import_notify(&NotifyKey::from_bytes(notify))?;
    // SAFETY: the consumer has made the key, and it keeps the memory until this process has ended.
    let shared = unsafe { current.import_memory::<u8>(&MemoryKey::from_bytes(memory))? };
    let mut shared = stream.adopt(shared);
    let mut taken = None;
    for frame in 1..=3 {
        let bytes = stream.memset_async(stream.malloc(BYTES)?, frame)?;
        stream.memcpy_async(&mut shared, &bytes)?; // within the device, as imported memory needs it
        filled.record(&mut stream)?;
        stream.synchronize()?;
        println!("frame {frame}");
        stdin().read_exact(&mut event)?; // it will be taken, or the consumer has ended
        if taken.is_none() {
            // SAFETY: as for the memory.
            taken = Some(unsafe { current.import_event(&EventKey::from_bytes(event))? });
        }
        if let Some(taken) = &taken {
            taken.synchronize_within(LIMIT)?;
        }
    }
    Ok(())
}
