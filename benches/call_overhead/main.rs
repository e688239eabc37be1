//! The cost of typed calls beside raw calls, without a card.
//!
//! ```text
//! cargo bench --package ascendcl-benches --no-default-features --bench call_overhead
//! cargo xtask bench calls
//! ```
//!
//! Both sides run on a backend that only records its calls. The columns of a row are: the calls of C, which must be
//! the same in the same order with the same arguments; the instructions outside the backend, executed one by one and
//! so exact; and the allocations, of which there must be none. The raw side has the checks that C requires: every
//! status, the pointer of an allocation, and two lengths that are known at run time only.
//!
//! The second command also builds both sides with Cargo's default profile, without optimisation across crates, and
//! passes `--without-lto`: then the bounds are wider.

#![expect(clippy::print_stdout, reason = "a benchmark prints")]

mod calls;
mod collective;
mod programs;
mod raw;
mod sizes;

use std::process::ExitCode;

use ascendcl::{Acl, Npu, Thread};
use ascendcl_benches::backend;

/// The device by name.
type D = Npu<0>;

fn main() -> ExitCode {
    match run() {
        Ok(true) => ExitCode::SUCCESS,
        Ok(false) => ExitCode::FAILURE,
        Err(error) => {
            println!("error: {error}");
            ExitCode::FAILURE
        }
    }
}

/// The profile of the build, as far as its bounds depend on it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Build {
    /// With fat LTO and one codegen unit, the profile `bench` of this workspace.
    Lto,
    /// Cargo's default release profile.
    Default,
}

impl Build {
    fn from_arguments() -> Build {
        if std::env::args().any(|argument| argument == "--without-lto") {
            Build::Default
        } else {
            Build::Lto
        }
    }
}

/// Prints everything, and returns whether all bounds hold.
fn run() -> Result<bool, Box<dyn std::error::Error>> {
    backend::install()?;
    let acl = Acl::from_env()?;
    let Some(host) = acl.run_mode()?.host() else {
        return Err("the counting backend is a host".into());
    };
    let mut thread = Thread::claim()?;
    let device = acl.set_device::<D>(&mut thread, 0)?;
    let current = thread.set_current(&device)?;

    let build = Build::from_arguments();
    let single = calls::table(current, build)?;
    let ranks = collective::table(current, build)?;
    let held = collective::memory(current)?;
    let whole = programs::table(current, host, build)?;
    let optimised = match build {
        Build::Lto => "with fat LTO and one codegen unit",
        Build::Default => "without LTO, in 16 codegen units",
    };
    println!("backend: {}; built {optimised}\n", acl.backend());
    println!("{single}\n{ranks}{held}\n{whole}\n{}", sizes::table());
    let broken: Vec<_> = single
        .broken()
        .chain(ranks.broken())
        .chain(whole.broken())
        .collect();
    for sentence in &broken {
        println!("bound broken: {sentence}");
    }
    Ok(broken.is_empty())
}
