//! Links `ascendcl-sys` with a library that has the functions of CANN 8.1 and no newer ones, but some that
//! have another signature.
//!
//! Without CANN there is nothing to link with, so the library is made here: its functions do nothing.

use std::fs;

use crate::declarations::Declarations;
use crate::error::{Context as _, Error};
use crate::files::write;
use crate::process::{Line, target};

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
    let folder = target().join("older-cann");
    let libraries = folder.join("lib64");
    let source = folder.join("functions.c");
    write(&source, &functions(&Declarations::read()?))?;
    fs::create_dir_all(&libraries).on(libraries.display())?;
    for name in LIBRARIES {
        let output = libraries.join(format!("lib{name}.so"));
        Line::new("cc -shared -fPIC")
            .with([&source])
            .with_option("-o", output)
            .run()?;
    }
    // A target folder of its own: Cargo lets programs look for libraries in theirs first.
    let line = "cargo test --package ascendcl-sys --no-default-features --test linked \
                --features linked,dispatch,more-operators,training,media,profiling";
    Line::new(line)
        .with_option("--target-dir", folder.join("build"))
        .with_env("ASCENDCL_LIBRARY", libraries.join("libascendcl.so"))
        .with_env("LD_LIBRARY_PATH", libraries)
        .run()
}

/// The functions of CANN 8.1 in C, and those that have another signature in some release. The release is one
/// before all of these.
fn functions(all: &Declarations) -> String {
    let older = all.functions.iter().filter(|function| !function.newer);
    let names = older.map(|function| function.name.as_str());
    let names = names
        .filter(|name| *name != "aclrtGetVersion")
        .chain(["aclAppLog"]);
    let functions = names.map(|name| format!("int {name}(void) {{ return 0; }}\n"));
    let functions: String = functions.collect();
    functions
        + "int aclrtGetVersion(int *major, int *minor, int *patch) {\n\
           *major = 1; *minor = 1; *patch = 0; return 0; }\n"
}
