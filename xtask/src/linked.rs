//! Links `ascendcl-sys` with a library that has the functions of CANN 8.1 and no newer ones, but some that
//! have another signature.
//!
//! Without CANN there is nothing to link with, so the library is made here: its functions do nothing.

use std::fs;
use std::path::Path;

use crate::declarations::Declarations;
use crate::error::Error;
use crate::files::write;
use crate::process::{Line, root};

/// The libraries that the build script links.
const LIBRARIES: [&str; 6] = [
    "ascendcl",
    "nnopbase",
    "opapi",
    "acl_dvpp",
    "acl_dvpp_mpi",
    "hccl",
];

/// `cargo xtask linked`.
pub(crate) fn command() -> Result<(), Error> {
    let folder = crate::process::target(&root()).join("older-cann");
    let libraries = folder.join("lib64");
    let source = folder.join("functions.c");
    let text = functions(&Declarations::read(&root())?);
    write(&source, &text)?;
    fs::create_dir_all(&libraries)
        .map_err(|error| Error::Failed(format!("{}: {error}", libraries.display())))?;
    for name in LIBRARIES {
        let output = libraries.join(format!("lib{name}.so"));
        let arguments = [source.as_path(), Path::new("-o"), output.as_path()];
        Line::new("cc -shared -fPIC")
            .with_arguments(arguments.map(|argument| argument.display().to_string()))
            .run()?;
    }
    // A target folder of its own: Cargo lets programs look for libraries in theirs first.
    let line = "cargo test --package ascendcl-sys --no-default-features --test linked \
                --features linked,dispatch,operators,media,profiling --target-dir";
    Line::new(line)
        .with_arguments([folder.join("build").display().to_string()])
        .with_env(
            "ASCENDCL_LIBRARY",
            &libraries.join("libascendcl.so").display().to_string(),
        )
        .with_env("LD_LIBRARY_PATH", &libraries.display().to_string())
        .run()
}

/// The functions of CANN 8.1 in C, and those that have another signature in some release. The release is one
/// before all of these.
fn functions(all: &Declarations) -> String {
    let older = all.functions.iter().filter(|function| !function.newer);
    let version = "int aclrtGetVersion(int *major, int *minor, int *patch) {\n\
                   *major = 1; *minor = 1; *patch = 0; return 0; }\n";
    let names = older
        .filter(|function| function.name != "aclrtGetVersion")
        .map(|function| function.name.as_str())
        .chain(["aclAppLog"]);
    names
        .map(|name| format!("int {name}(void) {{ return 0; }}\n"))
        .chain([version.to_owned()])
        .collect()
}
