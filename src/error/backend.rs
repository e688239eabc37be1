//! Backends that are missing, or that lack a function.

use std::fmt;

use ascendcl_sys as sys;

/// The reason why there is no usable backend.
///
/// ```
/// use ascendcl::error::BackendError;
/// use ascendcl::{Acl, Error, ErrorKind};
///
/// match Acl::init().map_err(Error::into_kind) {
///     Ok(acl) => println!("AscendCL of {}", acl.backend()),
///     Err(ErrorKind::Backend(BackendError::Load(error))) => println!("no CANN here: {error}"),
///     Err(other) => println!("{other}"),
/// }
/// ```
#[derive(Debug, Clone)]
#[non_exhaustive]
pub enum BackendError {
    /// CANN could not be found or loaded.
    #[cfg(feature = "loaded")]
    Load(sys::LoadError),
    /// The process uses another backend already.
    Installed(sys::AlreadyInstalled),
    /// The settings of the emulator are malformed.
    #[cfg(feature = "emulator")]
    Emulator(ascendcl_emulator::ConfigError),
    /// The emulator runs with other settings already.
    #[cfg(feature = "emulator")]
    EmulatorRunning(ascendcl_emulator::AlreadyRunning),
    /// `ASCENDCL_BACKEND` names nothing that this program knows.
    Unknown {
        /// The variable's value.
        value: String,
    },
    /// The program was built without the backend.
    NotBuilt {
        /// The feature of this crate.
        feature: &'static str,
        /// The thing that needs the feature.
        what: &'static str,
    },
    /// The backend lacks a function.
    MissingFunction {
        /// The C function.
        function: &'static str,
        /// The backend.
        backend: String,
        /// The libraries that may have the function and did not load, each with the message of the loader.
        unloaded: Vec<String>,
    },
    /// The backend lacks an operator that the program has [declared](crate::operator!).
    MissingOperator {
        /// The second phase of the operator.
        operator: &'static str,
        /// The backend.
        backend: String,
    },
}

impl BackendError {
    pub(crate) fn missing_operator(operator: &'static str) -> BackendError {
        let backend = sys::installed().map_or_else(|| "no backend".to_owned(), ToString::to_string);
        BackendError::MissingOperator { operator, backend }
    }

    pub(super) fn missing(function: &'static str) -> BackendError {
        let backend = sys::installed().map_or_else(|| "no backend".to_owned(), ToString::to_string);
        let unloaded = sys::absent::unloaded(function);
        BackendError::MissingFunction {
            function,
            backend,
            unloaded,
        }
    }
}

impl fmt::Display for BackendError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            #[cfg(feature = "loaded")]
            BackendError::Load(error) => load(error, f),
            BackendError::Installed(error) => fmt::Display::fmt(error, f),
            #[cfg(feature = "emulator")]
            BackendError::Emulator(error) => fmt::Display::fmt(error, f),
            #[cfg(feature = "emulator")]
            BackendError::EmulatorRunning(error) => fmt::Display::fmt(error, f),
            BackendError::Unknown { value } => write!(
                f,
                "ASCENDCL_BACKEND is {value:?}; it can be `cann`, `emulator` (feature `emulator`), or the path of a \
                 libascendcl.so"
            ),
            BackendError::NotBuilt { feature, what } => write!(
                f,
                "this program was built without the feature `{feature}`, which {what} needs: in Cargo.toml, add \
                 `features = [\"{feature}\"]` to `ascendcl` below [dependencies] (`cargo run` ignores \
                 [dev-dependencies])"
            ),
            BackendError::MissingFunction {
                function,
                backend,
                unloaded,
            } => missing_function(function, backend, unloaded, f),
            BackendError::MissingOperator { operator, backend } => write!(
                f,
                "{backend} has no operator {operator}: a card finds it in a `libcust_opapi.so` of a package in \
                 ASCEND_CUSTOM_OPP_PATH or of a vendor below ASCEND_OPP_PATH, or in CANN's own libraries (is the name \
                 that of its header below aclnnop/?); for the emulator the program registers one by \
                 `emulator::operator::register`"
            ),
        }
    }
}

impl std::error::Error for BackendError {}

impl From<sys::AlreadyInstalled> for BackendError {
    fn from(error: sys::AlreadyInstalled) -> BackendError {
        BackendError::Installed(error)
    }
}

#[cfg(feature = "emulator")]
impl From<ascendcl_emulator::ConfigError> for BackendError {
    fn from(error: ascendcl_emulator::ConfigError) -> BackendError {
        BackendError::Emulator(error)
    }
}

#[cfg(feature = "emulator")]
impl From<ascendcl_emulator::AlreadyRunning> for BackendError {
    fn from(error: ascendcl_emulator::AlreadyRunning) -> BackendError {
        BackendError::EmulatorRunning(error)
    }
}

#[cfg(feature = "loaded")]
impl From<sys::LoadError> for BackendError {
    fn from(error: sys::LoadError) -> BackendError {
        BackendError::Load(error)
    }
}

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
fn load(error: &sys::LoadError, f: &mut fmt::Formatter<'_>) -> fmt::Result {
    fmt::Display::fmt(error, f)?;
    match error {
        sys::LoadError::NotFound { .. } if f.alternate() => write!(f, "\n{WITHOUT_A_CARD}"),
        sys::LoadError::NotFound { .. } => write!(f, "; {WITHOUT_A_CARD}"),
        _ => Ok(()),
    }
}

/// The backend lacks a function, or a library that has it does not load.
fn missing_function(
    function: &str,
    backend: &str,
    unloaded: &[String],
    f: &mut fmt::Formatter<'_>,
) -> fmt::Result {
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
