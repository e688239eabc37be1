//! The first step: `aclInit`, on the backend of the environment or on a watched emulator.

use std::env;
use std::path::Path;

use ascendcl::Acl;
use ascendcl::emulator::EmulatorConfig;
use ascendcl::error::BackendError;

use crate::Result;
use crate::args::Args;
use crate::log::Logged;

/// `aclInit`, with the configuration file if there is one.
pub(crate) fn acl(file: Option<&Path>, watched: Option<&EmulatorConfig>) -> Result<Acl> {
    let acl = match (watched.cloned(), file) {
        (None, None) => Acl::from_env(),
        (None, Some(file)) => Acl::from_env_with_config(file),
        (Some(config), None) => Acl::emulator(config),
        (Some(config), Some(file)) => Acl::emulator_with_config(config, file),
    };
    Ok(acl.logged("aclInit")?)
}

/// The configuration of the emulator, if the calls are to be recorded. A card cannot be made to fail.
pub(crate) fn watched(args: &Args) -> Result<Option<EmulatorConfig>> {
    if !args.watches() {
        return Ok(None);
    }
    let backend = env::var_os("ASCENDCL_BACKEND").unwrap_or_default();
    if !backend.is_empty() && backend != "emulator" {
        return Err(format!(
            "ASCENDCL_BACKEND is {backend:?}, and only the emulator can be watched or told to fail: \
             unset the variable, or leave --journal and --fail-... out"
        )
        .into());
    }
    let config = EmulatorConfig::from_env()
        .map_err(BackendError::from)?
        .with_journal(true);
    Ok(Some(match &args.fail_at {
        Some(fault) => config.with_fault(fault.clone()),
        None => config,
    }))
}
