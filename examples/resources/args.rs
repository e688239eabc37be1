//! The command line.

use std::path::PathBuf;
use std::str::FromStr;

use ascendcl::emulator::{Fault, journal};
use ascendcl::sys;
use clap::Parser;

use crate::Result;

/// Takes runtime resources of an Ascend NPU in order (AscendCL, device, stream, memory), uses them, and
/// releases them in order.
///
/// ASCENDCL_BACKEND chooses where: `cann`, `emulator`, or the path of a libascendcl.so. Without it
/// CANN is used where it is found, else the emulator.
#[derive(Debug, Parser)]
#[command(
    name = "resources",
    after_help = "Exit status: 0 if everything went well (with --fail-everywhere: if every run released \
                  everything in order), 1 if something failed, 2 for a wrong command line."
)]
pub(crate) struct Args {
    /// Which device to use; several one after the other: `--device 0,1` or `--device 0 --device 1`
    /// [default: the configured default device, or 0]
    #[arg(
        long = "device",
        visible_alias = "devices",
        value_name = "ID",
        value_delimiter = ',',
        allow_negative_numbers = true
    )]
    devices: Vec<u32>,

    /// Configuration file for aclInit (JSON), which may name a default device:
    /// {"defaultDevice": {"default_device": "0"}}
    #[arg(long, value_name = "FILE")]
    pub(crate) config: Option<PathBuf>,

    /// Use the default stream of each device instead of creating one
    #[arg(long)]
    pub(crate) implicit: bool,

    /// Log warnings and errors only, not every step
    #[arg(long, short)]
    pub(crate) quiet: bool,

    /// Run on the emulator and show the calls that it saw
    #[arg(long)]
    journal: bool,

    /// As --journal, and let a call fail: `aclrtMalloc`, `aclrtMalloc#2` (the second one), or
    /// `aclrtMalloc#2=207001` (with this status code)
    #[arg(long, value_name = "CALL[#N][=CODE]", value_parser = fault)]
    pub(crate) fail_at: Option<Fault>,

    /// Let every call that the program makes fail once, each in a run of its own, and show what is
    /// released then
    #[arg(long, conflicts_with_all = ["fail_at", "journal"])]
    pub(crate) fail_everywhere: bool,
}

impl Args {
    /// The devices to use. Logs a warning if the default is used and no default is configured.
    pub(crate) fn devices(&self, configured: Option<u32>) -> Vec<u32> {
        match (self.devices.as_slice(), configured) {
            ([], Some(id)) => {
                tracing::info!("device {id} is the default device of the configuration");
                vec![id]
            }
            ([], None) => {
                tracing::warn!("no default device is configured, using device 0");
                vec![0]
            }
            (ids, _) => ids.to_vec(),
        }
    }

    /// Whether the emulator records the calls.
    pub(crate) fn watches(&self) -> bool {
        self.journal || self.fail_at.is_some() || self.fail_everywhere
    }

    /// An error for a call of `--fail-at` that was never made.
    pub(crate) fn check_that_the_fault_happened(&self) -> Result<()> {
        let Some(fault) = &self.fail_at else {
            return Ok(());
        };
        let (name, nth) = (fault.call(), fault.nth());
        match journal().iter().filter(|call| call.name == name).count() as u64 {
            0 => Err(format!(
                "--fail-at {name}: this run does not call it; --journal shows the calls that can fail"
            )
            .into()),
            calls if calls < nth => Err(format!(
                "--fail-at {name}#{nth}: this run calls it {calls} times; give a number from 1 to {calls}"
            )
            .into()),
            _ => Ok(()),
        }
    }
}

/// Reads a `CALL[#N][=CODE]`.
fn fault(text: &str) -> Result<Fault, String> {
    let (place, code) = match text.split_once('=') {
        Some((place, code)) => (place, Some(code)),
        None => (text, None),
    };
    let (call, nth) = place.split_once('#').unwrap_or((place, "1"));
    if !functions().any(|name| name == call) {
        return Err(format!(
            "there is no function {call:?}; --journal shows the calls that can fail"
        ));
    }
    let nth = positive::<u64>(nth).ok_or("behind `#` stands which call fails, counted from 1")?;
    let code = match code {
        None => usual_code(call),
        Some(code) => code.parse().ok().filter(|code| *code != 0).ok_or_else(|| {
            format!(
                "behind `=` stands a status code that is a number and not 0, such as {}",
                usual_code(call)
            )
        })?,
    };
    Ok(Fault::new(call, code).at(nth))
}

fn positive<T: FromStr + Default + PartialEq>(text: &str) -> Option<T> {
    text.parse().ok().filter(|number| *number != T::default())
}

/// The C names of the functions that can be made to fail.
fn functions() -> impl Iterator<Item = &'static str> {
    let areas = [
        sys::RuntimeTable::NAMES,
        sys::DeviceTable::NAMES,
        sys::ContextTable::NAMES,
        sys::StreamTable::NAMES,
        sys::EventTable::NAMES,
        sys::MemoryTable::NAMES,
        sys::CallbackTable::NAMES,
        sys::OpTable::NAMES,
        sys::GraphTable::NAMES,
        sys::ModelTable::NAMES,
        sys::MediaTable::NAMES,
    ];
    areas.into_iter().flatten().copied()
}

/// The usual status code of a failed call, if `--fail-at` gives none.
pub(crate) fn usual_code(call: &str) -> i32 {
    match call {
        "aclFinalize" => sys::ACL_ERROR_REPEAT_FINALIZE,
        "aclrtSetDevice" | "aclrtMemcpy" | "aclrtMemset" => sys::ACL_ERROR_RT_DRV_INTERNAL_ERROR,
        "aclrtGetCurrentContext" | "aclrtSetCurrentContext" => sys::ACL_ERROR_RT_CONTEXT_NULL,
        "aclrtCreateStream" => sys::ACL_ERROR_RT_NO_STREAM_RESOURCE,
        "aclrtDestroyStream" => sys::ACL_ERROR_RT_INVALID_HANDLE,
        "aclrtSynchronizeStream" => sys::ACL_ERROR_RT_AICORE_EXCEPTION,
        "aclrtMalloc" | "aclrtMallocHost" | "acldvppMalloc" => sys::ACL_ERROR_RT_MEMORY_ALLOCATION,
        "aclrtFree" | "aclrtFreeHost" | "acldvppFree" => sys::ACL_ERROR_RT_PARAM_INVALID,
        "aclrtResetDevice" => sys::ACL_ERROR_RT_CONTEXT_RELEASE_ERROR,
        "aclnnAddGetWorkspaceSize" => sys::ACLNN_ERR_PARAM_INVALID,
        "aclnnAdd" => sys::ACLNN_ERR_RUNTIME_ERROR,
        _ => sys::ACL_ERROR_INTERNAL_ERROR,
    }
}
