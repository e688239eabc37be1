//! Finding and loading CANN while the program runs.

use std::error::Error;
use std::ffi::{CStr, OsStr, c_void};
use std::fmt;
use std::path::{Path, PathBuf};
use std::ptr::NonNull;
use std::sync::{Mutex, OnceLock};

mod custom;
mod lazy;

use libloading::Library;

use crate::api::{Api, Origin, installed};
use crate::functions::{
    callback::CallbackTable,
    collective::CollectiveTable,
    context::ContextTable,
    device::DeviceTable,
    event::EventTable,
    for_each_area,
    graph::GraphTable,
    log::{AppLog, LogTable},
    media::MediaTable,
    memory::MemoryTable,
    model::ModelTable,
    op::OpTable,
    profiling::ProfilingTable,
    runtime::RuntimeTable,
    stream::StreamTable,
};
use crate::operator::Operator;

/// The file that programs link with.
const LIBRARY: &str = "libascendcl.so";

/// A file without these is no AscendCL.
const ESSENTIAL: [&CStr; 4] = [
    c"aclInit",
    c"aclFinalize",
    c"aclrtSetDevice",
    c"aclrtMalloc",
];

/// Where toolkits are usually installed, below `/usr/local/Ascend` or `$HOME/Ascend`.
const PREFIXES: [&str; 4] = [
    "ascend-toolkit/latest",
    "cann/latest",
    "latest",
    "nnrt/latest",
];

/// The last place where CANN is looked for.
const LOADER: &str = "the loader's search path";

/// Where a toolkit keeps its libraries.
const FOLDERS: [&str; 3] = ["lib64", "runtime/lib64", "fwkacllib/lib64"];

/// Libraries of the areas that `libascendcl.so` does not contain, in the order of the search.
const AREAS: [(&str, &[&str]); 4] = [
    (
        OpTable::AREA,
        &[
            "libnnopbase.so",
            "libopapi.so",
            "libopapi_math.so",
            "libopapi_nn.so",
            "libopapi_transformer.so",
            "libopapi_cv.so",
        ],
    ),
    (MediaTable::AREA, &["libacl_dvpp.so", "libacl_dvpp_mpi.so"]),
    (CollectiveTable::AREA, &["libhccl.so"]),
    (ProfilingTable::AREA, &["libmsprofiler.so"]),
];

/// The library with the functions that compile operators, in an area whose other functions do not need it. It takes
/// long to load, so it loads with the first of these functions.
const COMPILER: &str = "libacl_op_compiler.so";

/// Whether [`COMPILER`] has a function.
fn is_of_compiler(name: &[u8]) -> bool {
    const NAMES: [&[u8]; 10] = [
        b"aclopCompile",
        b"aclopCompileAndExecute",
        b"aclopCompileAndExecuteV2",
        b"aclSetCompileopt",
        b"aclGetCompileoptSize",
        b"aclGetCompileopt",
        b"aclopSetCompileFlag",
        b"aclGenGraphAndDumpForOp",
        b"aclCreateGraphDumpOpt",
        b"aclDestroyGraphDumpOpt",
    ];
    NAMES.contains(&name)
}

impl Api {
    /// Loads `libascendcl.so` from `path`.
    ///
    /// Functions that the file lacks are absent, not an error; the libraries of operators, media,
    /// collective communication and the profiler load when the first of their functions is called. Nothing is ever unloaded: the runtime keeps
    /// threads of its own.
    ///
    /// # Safety
    ///
    /// The file is an AscendCL library: its functions have the signatures of CANN's headers, and
    /// its initialisers may run now.
    ///
    /// # Errors
    ///
    /// [`LoadError`] when the file cannot be loaded or is not an AscendCL.
    pub unsafe fn load(path: impl AsRef<Path>) -> Result<Api, LoadError> {
        // SAFETY: the caller's contract.
        unsafe { Self::load_file(path.as_ref()) }
    }

    /// Loads `libascendcl.so`, as [`load`](Self::load) does. It is compiled once, and not in each crate that loads.
    ///
    /// # Safety
    ///
    /// That of [`load`](Self::load).
    unsafe fn load_file(path: &Path) -> Result<Api, LoadError> {
        // SAFETY: the caller vouches for the initialisers of the file.
        let library =
            unsafe { open(path.as_os_str()) }.map_err(|reason| LoadError::Unloadable {
                path: path.to_owned(),
                reason,
            })?;
        let found = |name: &'static CStr| symbol(library, name);
        let missing: Vec<_> = ESSENTIAL
            .iter()
            .filter(|name| found(name).is_none())
            .collect();
        if !missing.is_empty() {
            let missing = missing
                .iter()
                .map(|name| name.to_string_lossy().into_owned())
                .collect();
            return Err(LoadError::NotAscendCl {
                path: path.to_owned(),
                missing,
            });
        }
        let path = path.canonicalize().unwrap_or_else(|_| path.to_owned());
        macro_rules! resolve {
            ($($area:ident $table:ident $functions:ident,)*) => {
                Api {
                    origin: Origin::Library(path),
                    find_operator: operator,
                    // SAFETY: the caller vouches for the signatures; a leaked library stays loaded.
                    $($area: unsafe { $table::resolve(found) },)*
                    log: LogTable {
                        // SAFETY: the caller vouches for the signature, as above.
                        aclAppLog: found(c"aclAppLog").map(|address| unsafe {
                            core::mem::transmute::<*mut c_void, AppLog>(address.as_ptr())
                        }),
                    },
                }
            };
        }
        let api = for_each_area!(resolve);
        Ok(Api {
            op: lazy::op::TABLE,
            media: lazy::media::TABLE,
            collective: lazy::collective::TABLE,
            profiling: lazy::profiling::TABLE,
            ..api
        })
    }

    /// Finds CANN and loads it.
    ///
    /// Looks at the file in `ASCENDCL_LIBRARY` (and then nowhere else), below `ASCEND_HOME_PATH` and
    /// `ASCEND_TOOLKIT_HOME`, below the usual installation folders, and last where the system's
    /// loader looks (`LD_LIBRARY_PATH`).
    ///
    /// # Safety
    ///
    /// The file that the environment names is an AscendCL library: its functions have the signatures of CANN's headers,
    /// and its initialisers may run now.
    ///
    /// # Errors
    ///
    /// [`LoadError::NotFound`] with every place that was looked at, or the error of [`Api::load`]
    /// for a file that is there.
    pub unsafe fn find() -> Result<Api, LoadError> {
        let mut searched = Vec::new();
        if let Some(file) = variable("ASCENDCL_LIBRARY") {
            // SAFETY: the caller vouches for the file that the environment names.
            return unsafe { Api::load(file) };
        }
        for home in homes() {
            let folders = home.path.iter();
            for candidate in
                folders.flat_map(|path| FOLDERS.map(|folder| path.join(folder).join(LIBRARY)))
            {
                if candidate.is_file() {
                    // SAFETY: the caller vouches for the file that the environment names.
                    return unsafe { Api::load(candidate) };
                }
            }
            searched.push(home.name);
        }
        // SAFETY: the caller vouches for the file that the loader finds.
        match unsafe { Api::load(LIBRARY) } {
            Ok(api) => Ok(api),
            Err(LoadError::Unloadable { reason, .. }) => {
                searched.push(format!("{LOADER} ({reason})"));
                Err(LoadError::NotFound { searched })
            }
            Err(other) => Err(other),
        }
    }
}

/// Why there is no backend.
#[derive(Clone, PartialEq, Eq)]
#[non_exhaustive]
pub enum LoadError {
    /// CANN is at none of the places where it is looked for.
    NotFound {
        /// The places, in order.
        searched: Vec<String>,
    },
    /// The system's loader refuses the file.
    Unloadable {
        /// The file.
        path: PathBuf,
        /// The message of the loader.
        reason: String,
    },
    /// The file is a library, but not AscendCL.
    NotAscendCl {
        /// The file.
        path: PathBuf,
        /// Functions without which there is no AscendCL.
        missing: Vec<String>,
    },
}

impl fmt::Display for LoadError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            LoadError::NotFound { searched } => {
                if f.alternate() {
                    let files = FOLDERS.join(",");
                    write!(
                        f,
                        "CANN was not found: there is no {{{files}}}/{LIBRARY} below"
                    )?;
                    for place in searched {
                        write!(f, "\n    {place}")?;
                    }
                    f.write_str("\n")?;
                } else {
                    let mut places: Vec<_> = searched.iter().map(|place| in_short(place)).collect();
                    places.dedup();
                    let places = places.join(", ");
                    write!(
                        f,
                        "CANN was not found: there is no {LIBRARY} below {places}; "
                    )?;
                }
                write!(
                    f,
                    "install the CANN toolkit and source its `set_env.sh`, or set ASCENDCL_LIBRARY to the full name \
                     of {LIBRARY}"
                )
            }
            LoadError::Unloadable { path, reason } => {
                write!(
                    f,
                    "{} cannot be loaded: {reason}; name CANN's {LIBRARY}",
                    path.display()
                )
            }
            LoadError::NotAscendCl { path, missing } => write!(
                f,
                "{} is not an AscendCL library: it lacks {}. Name CANN's libascendcl.so instead",
                path.display(),
                missing.join(", ")
            ),
        }
    }
}

/// A `main` that returns the error prints this text.
impl fmt::Debug for LoadError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

impl Error for LoadError {}

/// Loads, on first use, the libraries of an area that `libascendcl.so` does not contain.
///
/// Called by the area's entries while they are lazy, with the name of the function that was called; afterwards they hold
/// functions, or stubs that report their absence. The functions that compile operators stay lazy until one of them is
/// called.
pub(crate) fn load_area(area: &'static str, called: &str) {
    static LOADING: Mutex<()> = Mutex::new(());
    let _one_at_a_time = match LOADING.lock() {
        Ok(guard) => guard,
        Err(poisoned) => poisoned.into_inner(),
    };
    let mut libraries: Vec<&'static Library> = Vec::new();
    let mut unloaded = Vec::new();
    if let Some(Origin::Library(main)) = installed() {
        let names = libraries_of(area);
        // SAFETY: whoever loaded the main library vouched for the installation it belongs to.
        libraries.extend(unsafe { open(main.as_os_str()) });
        let folder = main.parent().unwrap_or(Path::new(""));
        let compiler = is_of_compiler(called.as_bytes()).then_some(&COMPILER);
        for name in names.iter().chain(compiler) {
            // SAFETY: as above.
            match unsafe { open_of_area(folder, name) } {
                Ok(library) => libraries.push(library),
                Err(reason) => unloaded.push(reason),
            }
        }
    }
    let stays_lazy =
        |name: &CStr| !is_of_compiler(called.as_bytes()) && is_of_compiler(name.to_bytes());
    let found = |name: &'static CStr| {
        if stays_lazy(name) {
            return lazy::op::TABLE.find(name);
        }
        libraries.iter().find_map(|library| symbol(library, name))
    };
    match area {
        OpTable::AREA => {
            crate::absent::note_unloaded(OpTable::NAMES, unloaded);
            // SAFETY: as above, and a leaked library stays loaded.
            unsafe { OpTable::resolve(found) }.install();
        }
        MediaTable::AREA => {
            crate::absent::note_unloaded(MediaTable::NAMES, unloaded);
            // SAFETY: as above, and a leaked library stays loaded.
            unsafe { MediaTable::resolve(found) }.install();
        }
        CollectiveTable::AREA => {
            crate::absent::note_unloaded(CollectiveTable::NAMES, unloaded);
            // SAFETY: as above, and a leaked library stays loaded.
            unsafe { CollectiveTable::resolve(found) }.install();
        }
        ProfilingTable::AREA => {
            crate::absent::note_unloaded(ProfilingTable::NAMES, unloaded);
            // SAFETY: as above, and a leaked library stays loaded.
            unsafe { ProfilingTable::resolve(found) }.install();
        }
        _ => {}
    }
}

/// The files of an area.
fn libraries_of(area: &str) -> &'static [&'static str] {
    let found = AREAS.iter().find(|(name, _)| *name == area);
    found.map_or(&[], |(_, names)| names)
}

/// An operator in the libraries of the installed CANN and of custom operators.
fn operator(name: &CStr) -> Option<Operator> {
    static LIBRARIES: OnceLock<Vec<&'static Library>> = OnceLock::new();
    let mut libraries = LIBRARIES.get_or_init(operator_libraries).iter();
    libraries.find_map(|library| Operator::resolve(name, |symbol| self::symbol(library, symbol)))
}

/// Opens every library that may have operators, in the order in which an operator is looked for. Those that are not
/// there, or do not load, have none.
fn operator_libraries() -> Vec<&'static Library> {
    let Some(Origin::Library(main)) = installed() else {
        return Vec::new();
    };
    // SAFETY: whoever loaded the main library vouched for the installation that it and the environment name.
    let custom = custom::files().filter_map(|file| unsafe { open(file.as_os_str()) }.ok());
    let mut libraries: Vec<_> = custom.collect();
    let folder = main.parent().unwrap_or(Path::new(""));
    for name in libraries_of(OpTable::AREA) {
        // SAFETY: as above.
        libraries.extend(unsafe { open_of_area(folder, name) });
    }
    libraries
}

/// A place that could hold a toolkit.
struct Home {
    name: String,
    /// The folder, unless it is that of a variable that is not set.
    path: Option<PathBuf>,
}

/// The places that could hold a toolkit, in the order of preference.
fn homes() -> Vec<Home> {
    let named = ["ASCEND_HOME_PATH", "ASCEND_TOOLKIT_HOME"].map(|name| {
        let path = variable(name);
        let value = path.as_ref().map(|path| path.display().to_string());
        let value = value.unwrap_or_else(|| "not set".to_owned());
        Home {
            name: format!("${name} ({value})"),
            path,
        }
    });
    let roots = [Some(PathBuf::from("/usr/local")), variable("HOME")];
    let usual = roots.into_iter().flatten().flat_map(|root| {
        PREFIXES.map(|prefix| {
            let path = root.join("Ascend").join(prefix);
            Home {
                name: path.display().to_string(),
                path: Some(path),
            }
        })
    });
    named.into_iter().chain(usual).collect()
}

/// A place, without the release of the toolkit and the message of the loader.
fn in_short(place: &str) -> &str {
    if place.starts_with(LOADER) {
        return LOADER;
    }
    let folders = PREFIXES
        .iter()
        .filter_map(|prefix| place.strip_suffix(prefix));
    let shortest = folders.min_by_key(|folder| folder.len());
    shortest.map_or(place, |folder| folder.trim_end_matches('/'))
}

/// The value of an environment variable, unless it is empty.
fn variable(name: &str) -> Option<PathBuf> {
    std::env::var_os(name)
        .filter(|value| !value.is_empty())
        .map(PathBuf::from)
}

/// Opens a library of an area: the one beside `libascendcl.so`, or else the one that the loader finds. The error is
/// the file with the loader's words.
///
/// # Safety
///
/// As for [`open`].
unsafe fn open_of_area(folder: &Path, name: &str) -> Result<&'static Library, String> {
    let path = folder.join(name);
    // SAFETY: the caller's contract.
    let beside = unsafe { open(path.as_os_str()) };
    let Err(beside) = beside else {
        return beside;
    };
    // SAFETY: the caller's contract.
    unsafe { open(OsStr::new(name)) }.map_err(|elsewhere| {
        // Of a file that is there, why it does not load says more than that there is no other.
        let (file, reason) = if path.is_file() {
            (path.display().to_string(), beside)
        } else {
            (name.to_owned(), elsewhere)
        };
        let words = reason.strip_prefix(&format!("{file}: "));
        format!("{file}: {}", words.unwrap_or(&reason))
    })
}

/// Opens a library for the rest of the process.
///
/// # Safety
///
/// The library's initialisers may run now.
unsafe fn open(file: &OsStr) -> Result<&'static Library, String> {
    // SAFETY: the caller's contract.
    let library = unsafe { Library::new(file) }.map_err(|error| {
        // The loader's own words are the source; the error itself says only which call failed.
        error
            .source()
            .map_or_else(|| error.to_string(), ToString::to_string)
    })?;
    Ok(Box::leak(Box::new(library)))
}

/// The address of a function in a library.
fn symbol(library: &'static Library, name: &CStr) -> Option<NonNull<c_void>> {
    // SAFETY: only the address is taken here; `Table::resolve` states what is required of it.
    let symbol = unsafe { library.get::<*mut c_void>(name) }.ok()?;
    NonNull::new(*symbol)
}
