//! Links `libascendcl`, and only under the feature `linked`: the default build needs nothing of CANN.

use std::env;
use std::path::PathBuf;

fn main() {
    println!("cargo::rerun-if-changed=build.rs");
    println!("cargo::rerun-if-env-changed=DOCS_RS");
    // docs.rs sets `DOCS_RS`, switches all features on, and links nothing.
    if env::var_os("CARGO_FEATURE_LINKED").is_none() || env::var_os("DOCS_RS").is_some() {
        return;
    }
    for name in [
        "ASCENDCL_LIBRARY",
        "ASCEND_HOME_PATH",
        "ASCEND_TOOLKIT_HOME",
    ] {
        println!("cargo::rerun-if-env-changed={name}");
    }
    let folders = folders();
    if folders.is_empty() {
        println!(
            "cargo::warning=no libascendcl.so found below $ASCEND_HOME_PATH, $ASCEND_TOOLKIT_HOME or \
             /usr/local/Ascend; linking will work only if the linker finds it by itself"
        );
    }
    for folder in folders {
        println!("cargo::rustc-link-search=native={}", folder.display());
    }
    // The operators, the media engine and collective communication have libraries of their own.
    for library in [
        "ascendcl",
        "nnopbase",
        "opapi",
        "acl_dvpp",
        "acl_dvpp_mpi",
        "hccl",
    ] {
        println!("cargo::rustc-link-lib=dylib={library}");
    }
}

/// Folders that hold `libascendcl.so`, in the order of preference.
fn folders() -> Vec<PathBuf> {
    let variable = |name| {
        env::var_os(name)
            .filter(|value| !value.is_empty())
            .map(PathBuf::from)
    };
    let named = variable("ASCENDCL_LIBRARY").and_then(|file| file.parent().map(PathBuf::from));
    let homes = [
        variable("ASCEND_HOME_PATH"),
        variable("ASCEND_TOOLKIT_HOME"),
        Some(PathBuf::from("/usr/local/Ascend/ascend-toolkit/latest")),
        Some(PathBuf::from("/usr/local/Ascend/latest")),
    ];
    let below = homes.into_iter().flatten().map(|home| home.join("lib64"));
    named
        .into_iter()
        .chain(below)
        .filter(|folder| folder.join("libascendcl.so").is_file())
        .collect()
}
