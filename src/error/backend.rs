//! What is said where there is no backend, or where it lacks a function.

use std::fmt::{Formatter, Result};

#[cfg(feature = "loaded")]
use ascendcl_sys as sys;

/// How to do without CANN, which is not to be guessed from its absence.
#[cfg(feature = "loaded")]
const WITHOUT_A_CARD: &str = if cfg!(feature = "emulator") {
    "to run without a card, initialise with `Acl::from_env` and set ASCENDCL_BACKEND=emulator"
} else {
    "to run without a card, add `features = [\"emulator\"]` to `ascendcl` below [dependencies] in Cargo.toml, \
     initialise with `Acl::from_env`, and set ASCENDCL_BACKEND=emulator"
};

/// CANN could not be found or loaded.
#[cfg(feature = "loaded")]
pub(super) fn load(error: &sys::LoadError, f: &mut Formatter<'_>) -> Result {
    std::fmt::Display::fmt(error, f)?;
    match error {
        sys::LoadError::NotFound { .. } if f.alternate() => write!(f, "\n{WITHOUT_A_CARD}"),
        sys::LoadError::NotFound { .. } => write!(f, "; {WITHOUT_A_CARD}"),
        _ => Ok(()),
    }
}

/// The backend lacks a function, or a library that has it does not load.
pub(super) fn missing_function(
    function: &str,
    backend: &str,
    unloaded: &[String],
    f: &mut Formatter<'_>,
) -> Result {
    let Some((first, more)) = unloaded.split_first() else {
        return write!(
            f,
            "{backend} has no function {function}: this CANN release is older than the function, or the emulator does \
             not model it"
        );
    };
    write!(
        f,
        "there is no function {function}, and a library of CANN that could have it does not load: {first}"
    )?;
    if f.alternate() {
        more.iter()
            .try_for_each(|library| write!(f, "\n    {library}"))?;
        f.write_str("\n")?;
    } else {
        match more.len() {
            0 => {}
            more => write!(f, " (and {more} more)")?,
        }
        f.write_str("; ")?;
    }
    write!(
        f,
        "libraries are looked for beside {backend} and where the system's loader looks: source CANN's `set_env.sh`"
    )
}
