//! Compiles the one function that takes arguments like `printf`.

fn main() {
    println!("cargo::rerun-if-changed=src/log.c");
    cc::Build::new().file("src/log.c").compile("ascendcl_log");
}
