//! Links `cann` with the AscendCL that only counts.

use std::env;

fn main() {
    println!("cargo::rerun-if-env-changed=STUBS");
    if let Some(folder) = env::var_os("STUBS") {
        println!("cargo::rustc-link-search=native={}", folder.display());
        println!("cargo::rustc-link-lib=dylib=ascendcl");
    }
}
