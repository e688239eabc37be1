//! The typed API over real asynchronous hardware: the library that `ASCENDCL_BACKEND` names, or else an NVIDIA GPU, through
//! AscendCL's core calls over the CUDA driver.
//!
//! It compares the results of random programs byte by byte, counts how often the mistakes that the types refuse give wrong data,
//! and measures what a typed call costs where a call has a real price. It also runs tests and examples. A GPU is no NPU: its
//! figures say nothing about one.

mod cost;
mod mistakes;
mod runs;
mod stress;

use std::env;
use std::error::Error;
use std::path::PathBuf;
use std::process::ExitCode;

use ascendcl::sys::Api;
use ascendcl::{Acl, Current, HostSide, Npu};
use ascendcl_cuda::driver::{driver, name};

const HELP: &str = "usage: hardware [mistakes | stress [ROUNDS] | cost]   (all of them without a word)
       hardware on | tests PROGRAM | examples FOLDER
exit status: 0 all is right, 1 something is not, 2 a wrong command line, 3 there is nothing to run on";

const NOTHING_TO_RUN_ON: u8 = 3;

fn main() -> ExitCode {
    let words: Vec<String> = env::args().skip(1).collect();
    let words: Vec<&str> = words.iter().map(String::as_str).collect();
    if is_gpu()
        && let Err(why) = driver()
    {
        eprintln!(
            "there is nothing to run on: no CUDA driver ({why}), and ASCENDCL_BACKEND names no AscendCL.\n\
             Install the driver of an NVIDIA GPU, which brings libcuda.so.1 (no toolkit is needed; a container has to get the GPU \
             from its host), or name the libascendcl.so of a card. `cargo xtask hardware --stand-in` tries the programs without one."
        );
        return ExitCode::from(NOTHING_TO_RUN_ON);
    }
    let done = match words[..] {
        [] => all(),
        ["on"] => on(),
        ["mistakes"] => mistakes::run_each(),
        ["mistake", place] => on_device(|current, _| mistakes::run(current, place.parse()?)),
        ["stress"] => stress("2000"),
        ["stress", rounds] => stress(rounds),
        ["cost"] => on_device(cost::run),
        ["tests", program] => library().and_then(|library| runs::tests(program, &library)),
        ["examples", folder] => library().and_then(|library| runs::examples(folder, &library)),
        ["child", program, ref words @ ..] => runs::child(program, words),
        _ => {
            eprintln!("{HELP}");
            return ExitCode::from(2);
        }
    };
    match done {
        Ok(true) => ExitCode::SUCCESS,
        Ok(false) => ExitCode::FAILURE,
        Err(error) => {
            eprintln!("{error}");
            ExitCode::FAILURE
        }
    }
}

/// Whether all was right, or why nothing is known.
type Done = Result<bool, Box<dyn Error>>;

/// Says what the figures are of.
fn on() -> Done {
    match driver() {
        Ok(driver) if is_gpu() => println!("on {}", name(driver)),
        _ => println!("on {}", library()?.display()),
    }
    Ok(true)
}

fn all() -> Done {
    on()?;
    // Each also runs if one before it has found something.
    Ok(mistakes::run_each()? & stress("2000")? & on_device(cost::run)?)
}

fn stress(rounds: &str) -> Done {
    let rounds = rounds.parse()?;
    on_device(|current, host| Ok(stress::run(current, host, rounds)?))
}

/// Whether this workspace has the library.
fn is_gpu() -> bool {
    env::var_os("ASCENDCL_BACKEND").is_none()
}

/// Runs a part of the program on the first device.
fn on_device(part: impl FnOnce(Current<'_, '_, Npu<0>>, HostSide<'_>) -> Done) -> Done {
    if is_gpu() {
        // SAFETY: the library of this workspace, whose functions have the signatures of AscendCL.
        let api = unsafe { Api::load(library()?) }?;
        // SAFETY: as above; it stays loaded.
        unsafe { api.install() }?;
    }
    let acl = Acl::from_env()?;
    let host = acl.host()?;
    let is_right = acl.on::<Npu<0>, _>(0, |current| Ok(part(current, host)))??;
    let (refused, leaks) = (ascendcl::release_failures(), ascendcl::leaks());
    if refused + leaks > 0 {
        println!("{refused} releases failed, {leaks} leaks");
    }
    Ok(is_right && refused + leaks == 0)
}

/// The library of AscendCL: the one that the user names, or the one that Cargo has built with this program.
fn library() -> Result<PathBuf, Box<dyn Error>> {
    if let Some(named) = env::var_os("ASCENDCL_BACKEND") {
        return Ok(named.into());
    }
    let program = env::current_exe()?;
    let folder = program.parent().ok_or("the program has no folder")?;
    let names = ["libascendcl_cuda.so", "deps/libascendcl_cuda.so"].map(|name| folder.join(name));
    let found = names.into_iter().find(|path| path.exists());
    Ok(found.ok_or("no libascendcl_cuda.so beside the program: build it with Cargo")?)
}
