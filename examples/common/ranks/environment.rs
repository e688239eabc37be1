//! The variables of a launcher, and those of the emulator.

use std::env;
use std::io;
use std::process;
use std::str::FromStr;
use std::thread;

use ascendcl::emulator::EmulatorConfig;
use ascendcl::error::BackendError;
use ascendcl::sys::LoadError;
use ascendcl::{Acl, ErrorKind};

use crate::Result;
use crate::ranks::Rank;
use crate::ranks::exchange::Exchange;

/// The variables of a launcher.
pub(crate) const RANK: &str = "RANK";
pub(crate) const WORLD_SIZE: &str = "WORLD_SIZE";
pub(crate) const LOCAL_RANK: &str = "LOCAL_RANK";
pub(crate) const MASTER_ADDR: &str = "MASTER_ADDR";
pub(crate) const MASTER_PORT: &str = "MASTER_PORT";
/// `torchrun` sets it to `True` where it uses the port itself. The next one is free then.
const PORT_IS_USED: &str = "TORCHELASTIC_USE_AGENT_STORE";
/// Set by the launcher of these examples, whose end is the end of stdin.
pub(crate) const STDIN_IS_LAUNCHER: &str = "ASCENDCL_EXAMPLE_STDIN_IS_LAUNCHER";
/// The number of devices that the emulator has.
pub(crate) const DEVICES: &str = "ASCENDCL_EMULATOR_DEVICES";

/// Returns the rank that a launcher has made of this process, or `None` without a launcher.
pub(crate) fn this_process() -> Result<Option<Rank>> {
    let Some(rank) = parse(&|name| env::var(name).ok())? else {
        return Ok(None);
    };
    if env::var_os(STDIN_IS_LAUNCHER).is_some() {
        // A launcher that was killed can end no rank.
        thread::spawn(|| {
            let _ = io::copy(&mut io::stdin(), &mut io::sink());
            process::exit(1)
        });
    }
    Ok(Some(rank))
}

/// Reads the variables of a launcher.
fn parse(variable: &dyn Fn(&str) -> Option<String>) -> Result<Option<Rank>> {
    let variable = |name: &str| variable(name).filter(|value| !value.is_empty());
    if variable(RANK).is_none() && variable(WORLD_SIZE).is_none() {
        return Ok(None);
    }
    let needed = |name: &str| {
        variable(name).ok_or_else(|| {
            format!(
                "{name} is not set: a launcher sets {RANK}, {WORLD_SIZE}, {LOCAL_RANK}, {MASTER_ADDR} and \
                 {MASTER_PORT} for each rank; without one, unset {RANK} and {WORLD_SIZE}"
            )
        })
    };
    let (number, size): (u32, u32) = (
        whole(RANK, &needed(RANK)?)?,
        whole(WORLD_SIZE, &needed(WORLD_SIZE)?)?,
    );
    if number >= size {
        return Err(format!(
            "{RANK} is {number} and {WORLD_SIZE} is {size}: the ranks count from 0, so give a {RANK} below {size} or \
             a larger {WORLD_SIZE}"
        )
        .into());
    }
    let port: u16 = whole(MASTER_PORT, &needed(MASTER_PORT)?)?;
    let next = u16::from(variable(PORT_IS_USED).is_some_and(|value| value == "True"));
    Ok(Some(Rank {
        number,
        size,
        device: whole(LOCAL_RANK, &needed(LOCAL_RANK)?)?,
        exchange: Exchange::Network {
            host: needed(MASTER_ADDR)?,
            port: port.saturating_add(next),
        },
        lines: None,
    }))
}

fn whole<T: FromStr>(name: &str, text: &str) -> Result<T> {
    text.parse().map_err(|_| {
        format!("{name} is {text:?}, which is no whole number in its range: the launcher sets it")
            .into()
    })
}

/// Starts AscendCL as [`Acl::from_env`] does. The emulator gets a device for each of `ranks` ranks, unless a variable says
/// how many it has.
pub(crate) fn start(ranks: u32) -> Result<Acl> {
    let variable = |name| env::var_os(name).filter(|value| !value.is_empty());
    let emulator = || {
        let config = EmulatorConfig::from_env()?;
        let devices = config.devices.max(ranks);
        Ok(Acl::emulator(config.with_devices(devices))?)
    };
    match variable("ASCENDCL_BACKEND") {
        _ if variable(DEVICES).is_some() => Ok(Acl::from_env()?),
        Some(backend) if backend == "emulator" => emulator(),
        Some(_) => Ok(Acl::from_env()?),
        None => match Acl::init() {
            Err(error) if is_not_found(&error) => emulator(),
            started => Ok(started?),
        },
    }
}

/// Whether there is no CANN.
fn is_not_found(error: &ascendcl::Error) -> bool {
    matches!(
        error.kind(),
        ErrorKind::Backend(BackendError::Load(LoadError::NotFound { .. }))
    )
}
