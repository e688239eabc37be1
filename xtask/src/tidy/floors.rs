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

pub(crate) const TABLE: &str = include_str!("../../data/floors.txt");
