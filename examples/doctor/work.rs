//! What the runtime does: each device taken into use, and one operator.

use std::fmt::Write as _;

use ascendcl::memory::MemAttr;
use ascendcl::stream::Main;
use ascendcl::{Acl, Current, DeviceTag, Error, HostSide, Npu, Result, op};

/// What was tried.
#[derive(Debug, Default)]
pub(crate) struct Work {
    /// The lines of the report.
    pub(crate) lines: String,
    /// Whether a CANN was in use, and not the emulator.
    pub(crate) is_cann: bool,
    /// The first failure.
    pub(crate) failure: Option<Error>,
}

/// Tries everything, up to the first failure.
pub(crate) fn all() -> Work {
    let mut work = Work::default();
    if let Err(error) = work.run() {
        work.line("failed", &format!("{error}"));
        work.failure = Some(error);
    }
    work
}

impl Work {
    fn run(&mut self) -> Result<()> {
        let acl = Acl::from_env()?;
        let backend = acl.backend().to_string();
        self.is_cann = backend != "the emulator";
        self.line("backend", &backend);
        self.line("AscendCL", &acl.version()?.to_string());
        let chip = acl.soc_name();
        self.line("chip", chip.as_deref().unwrap_or("unknown"));
        let host = acl.run_mode()?.host();
        for id in 0..acl.device_count()? {
            let found = acl.on::<Npu<0>, _>(id, |current| device(current, host))?;
            self.line(&format!("device {id}"), &found);
        }
        acl.finalize()
    }

    fn line(&mut self, name: &str, text: &str) {
        // Writing to a `String` cannot fail.
        let _ = writeln!(self.lines, "{name:<10} {text}");
    }
}

/// The memory of a device, and whether it can add two numbers.
fn device<D: DeviceTag>(current: Current<'_, '_, D>, host: Option<HostSide<'_>>) -> Result<String> {
    let memory = current.mem_info(MemAttr::Hbm)?;
    let mebibytes = memory.total >> 20;
    let Some(host) = host else {
        return Ok(format!(
            "{mebibytes} MiB; the program runs on the device itself"
        ));
    };
    let mut stream = current.create_stream::<Main>()?;
    let numbers = stream.malloc_host_from(host, &[1.0_f32, 2.0])?;
    let numbers = stream.memcpy_async(stream.malloc(2)?, &numbers)?;
    let out = stream.malloc(2)?.into_tensor(&[2])?;
    let (left, right) = (numbers.tensor(&[2])?, numbers.tensor(&[2])?);
    let sum = op::add(current, &left, &right, 1.0, out)?.launch(&mut stream)?;
    let back = stream.memcpy_async(stream.malloc_host(host, 2)?, &sum.into_output())?;
    let is_right = stream.synchronize()?.take(back)[..] == [2.0, 4.0];
    let operator = if is_right { "right" } else { "WRONG" };
    Ok(format!("{mebibytes} MiB, aclnnAdd is {operator}"))
}
