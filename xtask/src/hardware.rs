//! `cargo xtask hardware`: benches/hardware, and the tests and examples that its library can run.

use std::process;

use crate::error::{Error, conclude};
use crate::output::print;
use crate::process::{Line, target};

/// `cargo xtask hardware`. Where there is nothing to run on, it ends the process with the exit status of benches/hardware.
pub(crate) fn command(stand_in: bool) -> Result<(), Error> {
    let built = target().join("hardware");
    let cargo = |words: &str| {
        Line::new(&format!(
            "cargo {words} --release --locked --manifest-path benches/hardware/Cargo.toml"
        ))
        .with_option("--target-dir", &built)
    };
    cargo("build --workspace").run()?;
    let folder = built.join("release");
    let program = folder.join("hardware");
    // A library that the user names has nothing to do with the stand-in.
    let on = |line: &str| match stand_in {
        true => Line::new(&format!("env --unset=ASCENDCL_BACKEND {line}"))
            .with_env("ASCENDCL_CUDA_DRIVER", folder.join("libcuda_stand_in.so")),
        false => Line::new(&format!("env {line}")),
    };
    let part = |words: &[&str]| on("").with([&program]).with(words);
    let (status, said) = part(&["on"]).output()?;
    print(&said);
    if !status.success() {
        process::exit(status.code().unwrap_or(1));
    }
    // The stand-in has tests of its own, and no costs: they would be those of nothing.
    let own = match stand_in {
        true => vec![cargo("test"), part(&["mistakes"]), part(&["stress", "200"])],
        false => vec![part(&["mistakes"]), part(&["stress"]), part(&["cost"])],
    };
    // Cargo starts the test program by this one.
    let runner = format!(
        "target.'cfg(unix)'.runner=[{:?}, 'tests']",
        program.display().to_string()
    );
    let tests = on("cargo test --test it").with_option("--config", runner);
    let examples = part(&["examples"]).with([target().join("debug/examples")]);
    let steps = own
        .into_iter()
        .chain([tests, Line::new("cargo build --examples"), examples]);
    let failed: Vec<Error> = steps.filter_map(|step| step.run().err()).collect();
    conclude(&failed)
}
