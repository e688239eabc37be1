//! Nothing to build. Cargo wants this file because the manifest sets `links`, which keeps a second
//! version of this crate out of a program.

fn main() {
    println!("cargo::rerun-if-changed=build.rs");
}
