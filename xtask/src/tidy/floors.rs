//! The table of floors: the modules that each module of a package may use.
//!
//! A file may name modules of its own floor and of lower floors, never of a higher one. Each module is listed here by
//! its name, so that its floor is a decision.

/// A package whose modules stand on floors.
pub(crate) struct Package {
    /// Its source folder, with a slash at the end.
    pub(crate) folder: &'static str,
    /// The modules, lowest floor first. `lib.rs` stands above all of them.
    pub(crate) floors: Vec<Vec<&'static str>>,
}

impl Package {
    /// The module of the root that a file belongs to. The path begins below the source folder.
    pub(crate) fn room(path: &str) -> &str {
        let first = path.split('/').next().unwrap_or(path);
        first.trim_end_matches(".rs")
    }

    /// The floor of a module; the lowest is 0.
    pub(crate) fn floor(&self, module: &str) -> Option<usize> {
        self.floors.iter().position(|floor| floor.contains(&module))
    }
}

/// The packages of a table. A line with a slash begins one, and each line behind it is a floor. `#` begins a comment.
pub(crate) fn packages(table: &'static str) -> Vec<Package> {
    let mut packages: Vec<Package> = Vec::new();
    for line in table
        .lines()
        .map(str::trim)
        .filter(|line| !line.starts_with('#'))
    {
        match packages.last_mut().filter(|_| !line.ends_with('/')) {
            Some(package) => package.floors.push(line.split_whitespace().collect()),
            None => packages.push(Package {
                folder: line,
                floors: Vec::new(),
            }),
        }
    }
    packages
}

pub(crate) const TABLE: &str = "\
src/
    error interop outcome park pending raw release state sync
    runtime device context thread
    stream memory queue event scope peer share
    op kernel model media collective graph callback remedy settings
    dlpack pipeline worker
    auto_traits bounds example messages
emulator/src/
    # Modules that do not depend on devices.
    error fork ordered product results sorted sync wide
    config handles
    # Memory, and the record of calls.
    observe space
    check
    # Objects behind handles.
    object_calls
    # The engine that moves work; it knows no area.
    engine
    # The areas. A stream ends with its context, a context with its device.
    callback graph refusal
    event stream
    context
    device
    memory runtime
    collective kernel media model op profiling
    # The end of the process, and the table of all functions.
    exit
    api
sys/src/
    # The words of C, and files of text.
    status text types
    absent config release spans structs
    link parameter
    # The lists of functions, and what finds a function that has no list.
    functions
    operator
    # Backends, and those that are loaded.
    api
    load
xtask/src/
    error finding imports output tables tests_in
    process
    declarations files
    sources
    bench capi coverage faults hardware headers linked package programs rules tidy ui
    guide house kernel suggestions
    ci site
lessons/src/
    files
    compile course
    explain
    judge
    all
ui-tests/src/
    area flow twin
    case
    cases package
    twins
ui-tests/programs/src/
    prelude program random said
    smaller
    compile kinds model print run scene
    faults generate mutate
    judge
    options shrink table
    controls offers";
