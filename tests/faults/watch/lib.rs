//! `ascendcl` for the programs of `cargo xtask faults`, which are compiled with this crate under that name.
//!
//! The programs do not change. Before `main`, this crate sets the hook for failed releases. After `main`, it prints the
//! counters of failed releases and leaks, and the objects that the emulator still has.
#![expect(
    clippy::print_stderr,
    reason = "`cargo xtask faults` reads the standard error of the program"
)]

pub use ascendcl::*;

/// Runs before `main`.
#[used]
#[unsafe(link_section = ".init_array")]
static BEFORE_MAIN: extern "C" fn() = before_main;

/// Runs after `main`, and after `std::process::exit`.
#[used]
#[unsafe(link_section = ".fini_array")]
static AFTER_MAIN: extern "C" fn() = after_main;

extern "C" fn before_main() {
    on_release_failure(|error| eprintln!("watched: not released: {error}"));
}

extern "C" fn after_main() {
    let live = emulator::live();
    eprintln!(
        "watched: release_failures={} leaks={} device_blocks={} host_blocks={} streams={} events={} contexts={} \
         violations={} struck={}",
        release_failures(),
        leaks(),
        live.device_blocks,
        live.host_blocks,
        live.streams,
        live.events,
        live.contexts,
        emulator::violations().len(),
        emulator::faults_struck(),
    );
}
