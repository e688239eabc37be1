//! What the files of a machine say: the driver, the devices, the toolkit and its libraries.

use std::path::{Path, PathBuf};
use std::{env, fmt, fs};

/// Where toolkits are installed, below `/usr/local/Ascend` or `~/Ascend`.
const PREFIXES: [&str; 4] = [
    "ascend-toolkit/latest",
    "cann/latest",
    "latest",
    "nnrt/latest",
];

/// Files of a toolkit that contain its version.
const VERSIONS: [&str; 3] = [
    "share/info/runtime/version.info",
    "runtime/version.info",
    "version.info",
];

/// The library that every program needs.
const MAIN: &str = "libascendcl.so";

/// The other libraries of a program, with the functions that are in them.
const LIBRARIES: [(&str, &str); 3] = [
    ("libnnopbase.so", "tensors"),
    ("libopapi", "operators"),
    ("libacl_dvpp.so", "media memory"),
];

/// The nodes beside those of the devices, without which no device is reached.
const NODES: [&str; 3] = ["davinci_manager", "devmm_svm", "hisi_hdc"];

/// What was found.
#[derive(Debug)]
pub(crate) struct Machine {
    /// The folder of the toolkit, if there is one.
    pub(crate) toolkit: Option<PathBuf>,
    /// Libraries that the toolkit lacks, with the functions that are in them.
    pub(crate) absent: Vec<&'static str>,
    /// Whether the environment is that of a `set_env.sh`.
    pub(crate) is_sourced: bool,
    /// The version of the driver, or an empty text if its file has none.
    pub(crate) driver: Option<String>,
    /// The numbers of the devices that have a node.
    pub(crate) devices: Vec<u32>,
    /// Nodes that are not there although a device is.
    pub(crate) nodes: Vec<&'static str>,
    version: Option<String>,
}

impl Machine {
    /// Looks below a folder, which is `/` for this machine.
    pub(crate) fn of(root: &Path) -> Machine {
        let named = ["ASCEND_HOME_PATH", "ASCEND_TOOLKIT_HOME"]
            .into_iter()
            .filter_map(env::var_os)
            .map(PathBuf::from);
        let ascend = root.join("usr/local/Ascend");
        // Another machine's home is not that of this user.
        let of_user = env::var_os("HOME").filter(|_| root == Path::new("/"));
        let of_user = of_user.map(|home| Path::new(&home).join("Ascend"));
        let usual = [Some(ascend.clone()), of_user].into_iter().flatten();
        let usual = usual.flat_map(|folder| PREFIXES.map(|prefix| folder.join(prefix)));
        let toolkit = named
            .chain(usual)
            .find(|home| home.join("lib64").join(MAIN).is_file());
        let libraries = toolkit.as_deref().map(names).unwrap_or_default();
        let has = |start: &str| libraries.iter().any(|name| name.starts_with(start));
        let absent = LIBRARIES.into_iter().filter(|(start, _)| !has(start));
        let driver = ascend.join("driver");
        let nodes = entries(&root.join("dev"));
        let mut devices: Vec<u32> = nodes
            .iter()
            .filter_map(|name| name.strip_prefix("davinci")?.parse().ok())
            .collect();
        devices.sort_unstable();
        let is_missing =
            |node: &&str| !devices.is_empty() && !nodes.iter().any(|name| name == node);
        Machine {
            version: toolkit.as_deref().and_then(|home| {
                let mut files = VERSIONS.iter().map(|file| home.join(file));
                files.find_map(|file| version(&file))
            }),
            absent: match toolkit {
                Some(_) => absent.map(|(_, functions)| functions).collect(),
                None => Vec::new(),
            },
            toolkit,
            is_sourced: env::var_os("ASCEND_HOME_PATH").is_some(),
            driver: driver
                .is_dir()
                .then(|| version(&driver.join("version.info")).unwrap_or_default()),
            nodes: NODES.into_iter().filter(is_missing).collect(),
            devices,
        }
    }
}

impl fmt::Display for Machine {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let version = |version: &str| match version {
            "" => "of an unknown version".to_owned(),
            version => version.to_owned(),
        };
        writeln!(f, "machine    {} {}", env::consts::OS, env::consts::ARCH)?;
        match &self.driver {
            Some(driver) => writeln!(f, "driver     {}", version(driver))?,
            None => writeln!(f, "driver     not found")?,
        }
        match self.devices.as_slice() {
            [] => writeln!(f, "nodes      no /dev/davinci0")?,
            devices => {
                let devices: Vec<_> = devices.iter().map(|id| format!("davinci{id}")).collect();
                writeln!(f, "nodes      {}", devices.join(", "))?;
            }
        }
        match &self.toolkit {
            Some(home) => {
                let version = version(self.version.as_deref().unwrap_or_default());
                writeln!(f, "CANN       {version}, {}", home.display())
            }
            None => writeln!(f, "CANN       not found"),
        }
    }
}

/// The names of the libraries of a toolkit.
fn names(home: &Path) -> Vec<String> {
    entries(&home.join("lib64"))
}

/// The names in a folder; none if it cannot be read.
fn entries(folder: &Path) -> Vec<String> {
    let entries = fs::read_dir(folder).into_iter().flatten().flatten();
    entries
        .filter_map(|entry| entry.file_name().into_string().ok())
        .collect()
}

/// The version in a file with a line `Version=`, as those of Huawei's packages have one.
fn version(file: &Path) -> Option<String> {
    let text = fs::read_to_string(file).ok()?;
    let line = |line: &str| {
        line.strip_prefix("Version=")
            .map(str::trim)
            .map(String::from)
    };
    text.lines().find_map(line)
}
