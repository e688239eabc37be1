//! Memory and notifies that two processes share: what passes between them, what is refused, and in which order each side ends.
//!
//! A test starts itself a second time. The variable `SHARE_OTHER` tells the second process apart from the first one.

mod event;
mod handle;

use std::io::{BufRead, BufReader, Read, Stdin, Stdout, Write};
use std::process::{Child, ChildStdin, ChildStdout, Stdio};
use std::time::Duration;

use ascendcl::bounds::{CopyTo, OnDevice};
use ascendcl::error::Usage;
use ascendcl::memory::Host;
use ascendcl::share::{Domain, Imported, Importers, MemoryKey, NotifyKey, SharedBuf};
use ascendcl::stream::Main;
use ascendcl::{Acl, Current, ErrorKind, HostSide, Npu, Result, sys};

use crate::common::{
    acl, acl_with_journal, assert_clean, assert_refused, assert_says, bound, calls, embedded, host,
    isolated, this_program, usage,
};

/// The variable of the second process.
const OTHER: &str = "SHARE_OTHER";
/// A limit that only a hang reaches.
const LONG: Duration = Duration::from_secs(60);
/// The refusal of the driver.
const REFUSED: i32 = sys::ACL_ERROR_RT_DRV_INTERNAL_ERROR;

/// The lines between two processes. Other lines, of the harness, are skipped.
struct Lines<R: Read, W> {
    from: BufReader<R>,
    to: W,
}

impl<R: Read, W: Write> Lines<R, W> {
    fn send(&mut self, bytes: &[u8]) {
        let hex: String = bytes.iter().map(|byte| format!("{byte:02x}")).collect();
        // The other process may have ended.
        let _ = writeln!(self.to, "share {hex}").and_then(|()| self.to.flush());
    }

    /// The next message; `None` if the other process has ended.
    fn receive(&mut self) -> Option<Vec<u8>> {
        let mut lines = self.from.by_ref().lines().map_while(std::io::Result::ok);
        let hex =
            lines.find_map(|line| line.split_once("share ").map(|(_, hex)| hex.to_owned()))?;
        let byte = |at| u8::from_str_radix(&hex[at..at + 2], 16).unwrap();
        Some((0..hex.len()).step_by(2).map(byte).collect())
    }

    fn number(&mut self) -> i32 {
        i32::from_le_bytes(self.receive().unwrap().try_into().unwrap())
    }

    fn memory(&mut self) -> MemoryKey {
        MemoryKey::from_bytes(self.receive().unwrap().try_into().unwrap())
    }

    fn notify(&mut self) -> NotifyKey {
        NotifyKey::from_bytes(self.receive().unwrap().try_into().unwrap())
    }
}

/// The second process, which ends before this value does.
struct Other {
    child: Ended,
    lines: Lines<ChildStdout, ChildStdin>,
}

impl Other {
    /// Starts this test a second time.
    fn start() -> Other {
        Other::start_as("other")
    }

    fn start_as(name: &str) -> Other {
        Other::start_with(OTHER, name)
    }

    /// Starts the test with a variable, which is `OTHER` or beside it.
    fn start_with(variable: &str, value: &str) -> Other {
        let mut command = this_program();
        command.args(std::env::args_os().skip(1));
        command.env(OTHER, "other").env(variable, value);
        let mut child = command
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .unwrap();
        let (from, to) = (child.stdout.take().unwrap(), child.stdin.take().unwrap());
        let from = BufReader::new(from);
        Other {
            child: Ended(child),
            lines: Lines { from, to },
        }
    }

    #[track_caller]
    fn succeeds(mut self) {
        let mut rest = String::new();
        self.lines.from.read_to_string(&mut rest).unwrap();
        assert!(
            self.child.0.wait().unwrap().success(),
            "the other process has failed: {rest}"
        );
    }
}

/// A process that is killed at the end if it still runs.
struct Ended(Child);

impl Drop for Ended {
    fn drop(&mut self) {
        // It fails for a process that has ended.
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

/// The lines to the first process, in the second one.
fn first() -> Option<Lines<Stdin, Stdout>> {
    std::env::var_os(OTHER)?;
    let from = BufReader::new(std::io::stdin());
    Some(Lines {
        from,
        to: std::io::stdout(),
    })
}

/// Imports the memory of the first process of a test, which ends last.
fn import<'dev>(
    current: Current<'_, 'dev, Npu<0>>,
    key: &MemoryKey,
) -> Result<SharedBuf<'dev, Imported<Npu<0>>, u32>> {
    // SAFETY: the first process of a test has sent the key, and keeps the memory until the second one has ended.
    unsafe { current.import_memory(key) }
}

/// The files that this process shares or has opened of another one.
fn open_shares() -> usize {
    let files = std::fs::read_dir("/proc/self/fd").unwrap();
    let links = files.filter_map(|file| std::fs::read_link(file.ok()?.path()).ok());
    links
        .filter(|link| link.to_string_lossy().contains("ascendcl-share"))
        .count()
}

/// Who sends each line, when no process is killed: the owner of the memory (0), or the process that imports it (1).
const STEPS: [usize; 8] = [1, 0, 0, 1, 0, 1, 0, 1];

/// Passes the lines between an owner and a guest on, until one of the two is killed in front of step `last`. The other one ends
/// by itself, with nothing left.
fn kill(name: &str, last: usize, victim: usize) {
    let mut sides = [name, "guest"].map(Other::start_as);
    for &from in &STEPS[..last] {
        let line = sides[from].lines.receive().unwrap();
        sides[1 - from].lines.send(&line);
    }
    let [owner, guest] = sides;
    let (killed, other) = if victim == 0 {
        (owner, guest)
    } else {
        (guest, owner)
    };
    drop(killed);
    let Other { mut child, lines } = other;
    let Lines { mut from, to } = lines;
    drop(to);
    let mut rest = String::new();
    from.read_to_string(&mut rest).unwrap();
    let status = child.0.wait().unwrap();
    assert!(
        status.success(),
        "{name}: killed {victim} in front of step {last}: {status}\n{rest}"
    );
}

/// Runs one side, which ends with an error or not. Nothing is left of what it shared.
fn survivor(side: impl FnOnce(&Acl, &mut Lines<Stdin, Stdout>) -> Result<()>) {
    let acl = acl();
    let mut lines = first().unwrap();
    if let Err(error) = side(&acl, &mut lines) {
        assert!(
            matches!(error.kind(), ErrorKind::Wait(_)) || error.code() == Some(REFUSED),
            "{error}"
        );
    }
    drop(acl);
    assert_eq!((open_shares(), ascendcl::leaks()), (0, 0));
}

/// The owner of a buffer that another process fills.
fn owner(acl: &Acl, lines: &mut Lines<Stdin, Stdout>) -> Result<()> {
    acl.on::<Npu<0>, _>(0, |current| {
        let memory = current.memset(current.malloc::<u32>(1024)?, 0)?;
        filled(current, acl.host()?, lines, |importers| {
            current.export_memory(memory, importers)
        })
    })
}

/// The owner of memory at reserved addresses that another process fills.
fn reserving_owner(acl: &Acl, lines: &mut Lines<Stdin, Stdout>) -> Result<()> {
    acl.on::<Npu<0>, _>(0, |current| {
        let mut memory = current.reserve_mem_address::<u32>(acl.host()?, 1024)?;
        current.memset(memory.grow(current, 1024)?, 0)?;
        filled(current, acl.host()?, lines, |importers| {
            current.export_memory(memory, importers)
        })
    })
}

/// Shares memory with a process that fills it.
fn filled<'dev, M>(
    current: Current<'_, 'dev, Npu<0>>,
    side: HostSide<'_>,
    lines: &mut Lines<Stdin, Stdout>,
    export: impl FnOnce(Importers<'_>) -> Result<SharedBuf<'dev, M, u32>>,
) -> Result<()>
where
    M: Domain + OnDevice<Npu<0>> + CopyTo<Host, Npu<0>>,
{
    let mut stream = current.create_stream::<Main>()?;
    let Some(number) = lines.receive() else {
        return Ok(());
    };
    let number = [i32::from_le_bytes(number.try_into().unwrap())];
    let memory = export(Importers::Listed(&number))?;
    let mut filled = current.create_shared_notify(Importers::Listed(&number))?;
    lines.send(&memory.key().to_bytes());
    lines.send(&filled.key().to_bytes());
    let memory = stream.adopt(memory);
    for turn in 1..=2_u32 {
        filled.wait_and_reset(&mut stream, Duration::from_secs(1))?;
        let Some(_) = lines.receive() else {
            return Ok(());
        };
        let here = stream.memcpy_async(stream.malloc_host(side, 1024)?, &memory)?;
        assert_eq!(stream.synchronize()?.take(here)[..], [turn; 1024]);
        lines.send(&[]);
    }
    let _ = lines.receive();
    Ok(())
}

/// The process that fills the memory of an owner.
fn guest(acl: &Acl, lines: &mut Lines<Stdin, Stdout>) -> Result<()> {
    acl.on::<Npu<0>, _>(0, |current| {
        let mut stream = current.create_stream::<Main>()?;
        lines.send(&current.bare_tgid()?.to_le_bytes());
        let (Some(memory), Some(notify)) = (lines.receive(), lines.receive()) else {
            return Ok(());
        };
        let mut memory = stream.adopt(import(
            current,
            &MemoryKey::from_bytes(memory.try_into().unwrap()),
        )?);
        let mut filled =
            current.import_notify(&NotifyKey::from_bytes(notify.try_into().unwrap()))?;
        for turn in 1..=2 {
            let numbers = stream.malloc_host_from(acl.host()?, &[turn; 1024])?;
            let numbers = stream.memcpy_async(stream.malloc(1024)?, &numbers)?;
            stream.memcpy_async(&mut memory, &numbers)?;
            filled.record(&mut stream)?;
            stream.synchronize()?;
            lines.send(&[]);
            let Some(_) = lines.receive() else {
                return Ok(());
            };
        }
        stream.synchronize()?.take(memory).close(current)?;
        lines.send(&[]);
        Ok(())
    })
}

isolated! {
    fn two_processes_take_turns_with_memory_and_notifies() {
        bound!(acl, side, device: Npu<0>, current, stream);
        if let Some(mut lines) = first() {
            lines.send(&current.bare_tgid().unwrap().to_le_bytes());
            let mut frame = stream.adopt(import(current, &lines.memory()).unwrap());
            let mut filled = current.import_notify(&lines.notify()).unwrap();
            let mut taken = current.create_shared_notify(Importers::Any).unwrap();
            lines.send(&taken.key().to_bytes());
            assert_eq!(frame.len(), 2048);
            for turn in 0..4_u32 {
                let numbers = stream.malloc_host_from(side, &[turn; 1024]).unwrap();
                let numbers = stream.memcpy_async(stream.malloc(1024).unwrap(), &numbers).unwrap();
                // The second half has what the first process had written before its last wait.
                let half = frame.slice_mut(0..1024).unwrap();
                stream.memcpy_async(half, &numbers).unwrap();
                filled.record(&mut stream).unwrap();
                taken.wait_and_reset(&mut stream, LONG).unwrap();
                let half = stream.memcpy_async(stream.malloc(1024).unwrap(), frame.slice(1024..2048).unwrap()).unwrap();
                let half = stream.memcpy_async(stream.malloc_host(side, 1024).unwrap(), &half).unwrap();
                assert_eq!(stream.synchronize().unwrap().take(half)[..], [turn + 10; 1024]);
            }
            stream.synchronize().unwrap().take(frame).close(current).unwrap();
        } else {
            let mut other = Other::start();
            let lines = &mut other.lines;
            let number = lines.number();
            let frame = current.memset(current.malloc::<u32>(2048).unwrap(), 0).unwrap();
            let frame = current.export_memory(frame, Importers::Listed(&[number])).unwrap();
            let mut filled = current.create_shared_notify(Importers::Listed(&[number])).unwrap();
            lines.send(&frame.key().to_bytes());
            lines.send(&filled.key().to_bytes());
            let mut taken = current.import_notify(&lines.notify()).unwrap();
            let mut frame = stream.adopt(frame);
            for turn in 0..4_u32 {
                filled.wait_and_reset(&mut stream, LONG).unwrap();
                let half = stream.malloc_host(side, 1024).unwrap();
                let half = stream.memcpy_async(half, frame.slice(0..1024).unwrap()).unwrap();
                let answer = stream.malloc_host_from(side, &[turn + 10; 1024]).unwrap();
                stream.memcpy_async(frame.slice_mut(1024..2048).unwrap(), &answer).unwrap();
                taken.record(&mut stream).unwrap();
                assert_eq!(stream.synchronize().unwrap().take(half)[..], [turn; 1024]);
            }
            other.succeeds();
            let mut frame = stream.synchronize().unwrap().take(frame);
            current.memset(&mut frame, 1).unwrap();
            let mut back = current.malloc_host::<u32>(side, 2048).unwrap();
            current.memcpy(&mut back, &frame).unwrap();
            assert_eq!(back[2047], 0x0101_0101);
            frame.close(current).unwrap().free().unwrap();
        }
        drop(stream);
        assert_clean(&acl);
    }

    /// Each goes both ways, and what the host reads is what the owner has written.
    fn shared_memory_is_copied_to_memory_that_grows_and_to_memory_of_a_pool() {
        bound!(acl, side, device: Npu<0>, current, stream);
        let pool = current.create_pool(1 << 30).unwrap();
        let mut grown = stream.adopt(current.reserve_mem_address::<u32>(side, 1 << 20).unwrap());
        if let Some(mut lines) = first() {
            let mut shared = stream.adopt(import(current, &lines.memory()).unwrap());
            stream.memcpy_async(grown.grow(current, 1024).unwrap(), &shared).unwrap();
            let pooled = stream.memcpy_async(stream.malloc_from(&pool, 1024).unwrap(), &shared).unwrap();
            let here = stream.memcpy_async(stream.malloc_host(side, 1024).unwrap(), &pooled).unwrap();
            let back = stream.memcpy_async(stream.malloc_host(side, 1024).unwrap(), &grown).unwrap();
            let idle = stream.synchronize().unwrap();
            assert_eq!((idle.take(here)[..].to_vec(), idle.take(back)[..].to_vec()), (vec![5; 1024], vec![5; 1024]));
            let six = stream.malloc_host_from(side, &[6; 1024]).unwrap();
            stream.memcpy_async(grown.slice_mut(0..1024).unwrap(), &six).unwrap();
            stream.memcpy_async(shared.slice_mut(0..512).unwrap(), grown.slice(0..512).unwrap()).unwrap();
            stream.memcpy_async(shared.slice_mut(512..1024).unwrap(), pooled.slice(512..1024).unwrap()).unwrap();
            stream.synchronize().unwrap().take(shared).close(current).unwrap();
        } else {
            let mut other = Other::start();
            let numbers = current.malloc_host_from(side, &[5_u32; 1024]).unwrap();
            let shared = current.memcpy(current.malloc(1024).unwrap(), &numbers).unwrap();
            let mut shared = current.export_memory(shared, Importers::Any).unwrap();
            other.lines.send(&shared.key().to_bytes());
            other.succeeds();
            let mut grown = stream.synchronize().unwrap().take(grown);
            // The owner copies at once, too.
            current.memcpy(grown.grow(current, 1024).unwrap(), &shared).unwrap();
            let mut back = current.malloc_host::<u32>(side, 1024).unwrap();
            current.memcpy(&mut back, grown.slice(0..1024).unwrap()).unwrap();
            assert_eq!((back[0], back[511], back[512], back[1023]), (6, 6, 5, 5));
            current.memcpy(&mut shared, &grown).unwrap();
            shared.close(current).unwrap().free().unwrap();
        }
        drop((pool, stream));
        assert_clean(&acl);
    }

    fn a_process_that_is_not_listed_imports_nothing() {
        bound!(acl, device: Npu<0>, current);
        if let Some(mut lines) = first() {
            let (memory, notify) = (lines.memory(), lines.notify());
            assert_says(import(current, &memory), &["aclrtIpcMemImportByKey", "bare_tgid"]);
            assert_says(current.import_notify(&notify), &["aclrtNotifyImportByKey", "bare_tgid"]);
        } else {
            let mut other = Other::start();
            let own = current.bare_tgid().unwrap();
            let memory = current.memset(current.malloc::<u32>(1024).unwrap(), 0).unwrap();
            let memory = current.export_memory(memory, Importers::Listed(&[own])).unwrap();
            let notify = current.create_shared_notify(Importers::Listed(&[own])).unwrap();
            other.lines.send(&memory.key().to_bytes());
            other.lines.send(&notify.key().to_bytes());
            other.succeeds();
            // A process does not import what it has exported itself.
            assert_refused(import(current, &memory.key()), REFUSED);
            assert_refused(current.import_notify(&notify.key()), REFUSED);
        }
        assert_clean(&acl);
    }

    fn the_mistakes_that_types_cannot_refuse_are_refused_before_the_call() {
        let acl = acl_with_journal();
        acl.on::<Npu<0>, _>(0, |current| {
            let memory = || current.memset(current.malloc::<u8>(4096)?, 0);
            let odd = current.memset(current.malloc::<u8>(4095)?, 0)?;
            let wrong = usage(current.export_memory(odd, Importers::Any).map(drop));
            assert!(matches!(wrong, Usage::SharedPages { bytes: 4095, .. }), "{wrong:?}");
            assert!(wrong.to_string().contains("multiple of 4096"), "{wrong}");
            let none = usage(current.export_memory(memory()?, Importers::Listed(&[])).map(drop));
            assert_eq!(none, Usage::NoImporters);
            let none = usage(current.create_shared_notify(Importers::Listed(&[])).map(drop));
            assert_eq!(none, Usage::NoImporters);
            assert!(none.to_string().contains("bare_tgid"), "{none}");
            if embedded(&acl) {
                assert_eq!(calls("aclrtIpcMemGetExportKey") + calls("aclrtCreateNotify"), 0);
            }
            let key = current.export_memory(memory()?, Importers::Any)?.key();
            // SAFETY: the import is refused.
            let wrong = usage(unsafe { current.import_memory::<[u8; 24]>(&key) }.map(drop));
            assert_eq!(wrong, Usage::SharedElements { bytes: 4096, size: 24 });
            // SAFETY: the import is refused.
            let wrong = usage(unsafe { current.import_memory::<[u8; 0]>(&key) }.map(drop));
            assert_eq!(wrong, Usage::SharedElements { bytes: 4096, size: 0 });
            let none = MemoryKey::from_bytes([0; 73]);
            // SAFETY: the import is refused.
            let wrong = usage(unsafe { current.import_memory::<u8>(&none) }.map(drop));
            assert_eq!(wrong, Usage::SharedElements { bytes: 0, size: 1 });
            // More bytes than there are addresses, of a name and of a handle.
            for first in [b'a', 0] {
                let mut bytes = [0xff; 73];
                bytes[0] = first;
                // SAFETY: the import is refused.
                let wrong = unsafe { current.import_memory::<u8>(&MemoryKey::from_bytes(bytes)) };
                let wrong = usage(wrong.map(drop));
                assert_eq!(wrong, Usage::SizeOverflow { len: usize::MAX, size: 1 });
                assert!(wrong.to_string().contains("more than an address can span"), "{wrong}");
            }
            // The characters of these have no end of their own.
            // SAFETY: no memory has the key.
            let gone = unsafe { current.import_memory::<[u8; 7]>(&MemoryKey::from_bytes([7; 73])) };
            assert_refused(gone, REFUSED);
            assert_refused(current.import_notify(&NotifyKey::from_bytes([7; 65])), REFUSED);
            Ok(())
        }).unwrap();
        assert_clean(&acl);
    }

    ["ASCENDCL_EMULATOR_SCHEDULE" = "lazy"]
    fn what_is_dropped_while_it_is_queued_ends_behind_its_work() {
        let acl = acl_with_journal();
        let side = host(&acl);
        acl.on::<Npu<0>, _>(0, |current| {
            let mut stream = current.create_stream::<Main>()?;
            let closed = || if embedded(&acl) { calls("aclrtIpcMemClose") } else { 0 };
            let destroyed = || if embedded(&acl) { calls("aclrtDestroyNotify") } else { 0 };
            let number = usize::from(embedded(&acl));
            if let Some(mut lines) = first() {
                let mut memory = stream.adopt(import(current, &lines.memory())?);
                let mut notify = current.import_notify(&lines.notify())?;
                let ones = stream.memset_async(stream.malloc::<u32>(1024)?, 1)?;
                stream.memcpy_async(&mut memory, &ones)?;
                notify.record(&mut stream)?;
                drop((memory, notify));
                assert_eq!((closed(), destroyed(), ascendcl::parked_bytes()), (0, 0, 0));
                stream.synchronize()?;
                assert_eq!((closed(), destroyed()), (number, number));
            } else {
                let mut other = Other::start();
                let memory = current.memset(current.malloc::<u32>(1024)?, 0)?;
                let memory = current.export_memory(memory, Importers::Any)?;
                let mut notify = current.create_shared_notify(Importers::Any)?;
                other.lines.send(&memory.key().to_bytes());
                other.lines.send(&notify.key().to_bytes());
                let memory = stream.adopt(memory);
                notify.wait_and_reset(&mut stream, LONG)?;
                let back = stream.memcpy_async(stream.malloc_host(side, 1024)?, &memory)?;
                other.succeeds();
                drop((memory, notify));
                assert_eq!((closed(), destroyed(), ascendcl::parked_bytes()), (0, 0, 4096));
                assert_eq!(stream.synchronize()?.take(back)[..], [0x0101_0101; 1024]);
                assert_eq!((closed(), destroyed(), ascendcl::parked_bytes()), (number, number, 0));
            }
            Ok(())
        }).unwrap();
        assert_clean(&acl);
        assert_eq!((open_shares(), ascendcl::leaks()), (0, 0));
    }

    fn a_wait_that_nobody_releases_is_an_error_in_time() {
        let acl = acl_with_journal();
        acl.on::<Npu<0>, _>(0, |current| {
            let mut stream = current.create_stream::<Main>()?;
            let mut notify = current.create_shared_notify(Importers::Any)?;
            notify.wait_and_reset(&mut stream, Duration::from_millis(1))?;
            let error = stream.synchronize().map(drop).unwrap_err();
            assert!(matches!(error.kind(), ErrorKind::Wait(_)), "{error}");
            assert_eq!(error.code(), Some(sys::ACL_ERROR_RT_TASK_TIMEOUT), "{error}");
            drop(notify);
            Ok(())
        }).unwrap();
        assert_clean(&acl);
    }

    fn values_end_on_threads_without_a_device() {
        let acl = acl_with_journal();
        acl.on::<Npu<0>, _>(0, |current| {
            let memory = current.memset(current.malloc::<u32>(1024)?, 0)?;
            let memory = current.export_memory(memory, Importers::Any)?;
            let notify = current.create_shared_notify(Importers::Any)?;
            std::thread::scope(|threads| threads.spawn(|| drop((memory, notify))).join().unwrap());
            if embedded(&acl) {
                assert_eq!((calls("aclrtIpcMemClose"), calls("aclrtDestroyNotify")), (1, 1));
            }
            Ok(())
        }).unwrap();
        assert_clean(&acl);
        assert_eq!((open_shares(), ascendcl::leaks()), (0, 0));
    }

    ["ASCENDCL_BACKEND" = "emulator", "ASCENDCL_EMULATOR_FAULTS" = "aclrtIpcMemClose#1=507899,aclrtIpcMemClose#2=507899"]
    fn memory_whose_key_is_not_closed_is_leaked() {
        let acl = acl_with_journal();
        acl.on::<Npu<0>, _>(0, |current| {
            let memory = || current.memset(current.malloc::<u32>(1024)?, 0);
            let shared = current.export_memory(memory()?, Importers::Any)?;
            assert_refused(shared.close(current), REFUSED);
            assert_eq!((ascendcl::leaks(), calls("aclrtFree")), (1, 0));
            drop(current.export_memory(memory()?, Importers::Any)?);
            assert_eq!((ascendcl::leaks(), ascendcl::release_failures(), calls("aclrtFree")), (2, 1, 0));
            Ok(())
        }).unwrap();
    }

    /// `ASCENDCL_SHARE_ROUNDS` is the number of kills for each kind of memory. The default is one at each step of each process.
    ["ASCENDCL_BACKEND" = "emulator"]
    fn a_process_that_is_killed_at_any_step_ends_the_other_one_cleanly() {
        match std::env::var(OTHER).as_deref() {
            Ok("owner") => survivor(owner),
            Ok("owner of reserved memory") => survivor(reserving_owner),
            Ok(_) => survivor(guest),
            Err(_) => {
                let steps = STEPS.len() + 1;
                let rounds = std::env::var("ASCENDCL_SHARE_ROUNDS").map_or(2 * steps, |rounds| rounds.parse().unwrap());
                for round in 0..rounds {
                    kill("owner", round / 2 % steps, round % 2);
                    kill("owner of reserved memory", round / 2 % steps, round % 2);
                }
            }
        }
    }
}
