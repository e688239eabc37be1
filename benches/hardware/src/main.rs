//! The typed API over real asynchronous hardware: the library that `ASCENDCL_BACKEND` names, or else an NVIDIA GPU, through
//! AscendCL's core calls over the CUDA driver.
//!
//! It compares the results of random programs byte by byte, counts how often the mistakes that the types refuse give wrong data,
//! and measures what a typed call costs where a call has a real price. A GPU is no NPU: its figures say nothing about one.

mod cost;
mod mistakes;
mod stress;

use std::error::Error;
use std::path::PathBuf;
use std::{env, process};

use ascendcl::sys::Api;
use ascendcl::{Acl, Npu};
use ascendcl_cuda::driver::driver;

const HELP: &str =
    "usage: hardware [mistakes | stress [ROUNDS] | cost]   (all of them without a word)";

fn main() -> Result<(), Box<dyn Error>> {
    let words: Vec<String> = env::args().skip(1).collect();
    let words: Vec<&str> = words.iter().map(String::as_str).collect();
    let (mistakes, rounds, cost) = match words[..] {
        [] => (true, Some(2000), true),
        ["mistakes"] => (true, None, false),
        ["stress"] => (false, Some(2000), false),
        ["stress", rounds] => (false, Some(rounds.parse()?), false),
        ["cost"] => (false, None, true),
        _ => {
            eprintln!("{HELP}");
            process::exit(2);
        }
    };
    let is_gpu = env::var_os("ASCENDCL_BACKEND").is_none();
    if is_gpu {
        if let Err(why) = driver() {
            println!(
                "nothing to measure here: ASCENDCL_BACKEND names no AscendCL, and there is no CUDA driver ({why})"
            );
            return Ok(());
        }
        // SAFETY: the library of this workspace, whose functions have the signatures of AscendCL.
        let api = unsafe { Api::load(library()?) }?;
        // SAFETY: as above; it stays loaded.
        unsafe { api.install() }?;
    }
    let acl = Acl::from_env()?;
    println!("AscendCL of {}", acl.backend());
    let host = acl.host()?;
    acl.on::<Npu<0>, _>(0, |current| {
        if mistakes {
            mistakes::run(current)?;
        }
        if let Some(rounds) = rounds {
            stress::run(current, host, rounds)?;
        }
        if cost {
            cost::run(current, host, is_gpu)?;
        }
        Ok(())
    })?;
    println!(
        "{} releases failed, {} leaks",
        ascendcl::release_failures(),
        ascendcl::leaks()
    );
    Ok(())
}

/// The library that Cargo has built with this program.
fn library() -> Result<PathBuf, Box<dyn Error>> {
    let program = env::current_exe()?;
    let folder = program.parent().ok_or("the program has no folder")?;
    let names = ["libascendcl_cuda.so", "deps/libascendcl_cuda.so"].map(|name| folder.join(name));
    let found = names.into_iter().find(|path| path.exists());
    Ok(found.ok_or("no libascendcl_cuda.so beside the program: build it with Cargo")?)
}
