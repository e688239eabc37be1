//! Compiles `log.c`, the function with variable arguments.

fn main() {
    println!("cargo::rerun-if-changed=src/log.c");
    cc::Build::new().file("src/log.c").compile("ascendcl_log");
}
