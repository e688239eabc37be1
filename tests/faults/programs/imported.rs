//! Memory at reserved addresses of another process: imported, copied, closed, imported again, and dropped while work uses it.
//!
//! The process that owns it has no faults, and ends with its pipe.

use std::io::{Read, Write, stdin, stdout};
use std::process::{Child, Command, Stdio};

use ascendcl::share::{Importers, MemoryKey};
use ascendcl::stream::Main;
use ascendcl::{Acl, Npu};

type Outcome = Result<(), Box<dyn std::error::Error>>;

struct Owner(Child);

impl Drop for Owner {
    fn drop(&mut self) {
        drop(self.0.stdin.take());
        let _ = self.0.wait();
    }
}

fn main() -> Outcome {
    if std::env::args().len() > 1 {
        own()
    } else {
        import()
    }
}

fn own() -> Outcome {
    let acl = Acl::from_env()?;
    let host = acl.host()?;
    acl.on::<Npu<0>, _>(0, |current| {
        let mut memory = current.reserve_mem_address::<f32>(host, 1024)?;
        current.memset(memory.grow(current, 1024)?, 1)?;
        let memory = current.export_memory(memory, Importers::Any)?;
        let written = stdout().write_all(&memory.key().to_bytes());
        if written.and_then(|()| stdout().flush()).is_ok() {
            let _ = stdin().read(&mut [0]);
        }
        memory.close(current)
    })?;
    Ok(())
}

fn import() -> Outcome {
    let mut command = Command::new(std::env::current_exe()?);
    for (name, _) in std::env::vars_os() {
        if name.to_string_lossy().starts_with("ASCENDCL_EMULATOR_") {
            command.env_remove(name);
        }
    }
    command
        .arg("own")
        .stdin(Stdio::piped())
        .stdout(Stdio::piped());
    let mut owner = Owner(command.stderr(Stdio::null()).spawn()?);
    let mut bytes = [0; 73];
    let pipe = owner.0.stdout.as_mut().ok_or("no pipe")?;
    pipe.read_exact(&mut bytes)?;
    let key = MemoryKey::from_bytes(bytes);
    let acl = Acl::from_env()?;
    let host = acl.host()?;
    acl.on::<Npu<0>, _>(0, |current| {
        let mut stream = current.create_stream::<Main>()?;
        // SAFETY: the other process has made the key, and has the memory until this one drops `owner`.
        let memory = unsafe { current.import_memory::<f32>(&key) }?;
        let memory = stream.adopt(memory);
        let here = stream.memcpy_async(stream.malloc::<f32>(1024)?, &memory)?;
        let back = stream.memcpy_async(stream.malloc_host(host, 1024)?, &here)?;
        let idle = stream.synchronize()?;
        drop(idle.take(back));
        idle.take(memory).close(current)?;
        // SAFETY: as above.
        let memory = unsafe { current.import_memory::<f32>(&key) }?;
        let mut memory = stream.adopt(memory);
        stream.memcpy_async(&mut memory, &here)?;
        drop(memory);
        stream.synchronize()?;
        Ok(())
    })?;
    drop(owner);
    Ok(())
}
