//! `cargo xtask capi`: the emulator as a C library, laid out as programs expect a CANN toolkit.
//!
//! The tree has `lib64` with `libascendcl.so` and the other names that programs link with or load,
//! `include` with a header of our own, and `set_env.sh` to source.

mod header;

use std::env;
use std::fs;
use std::io;
use std::os::unix::fs::symlink;
use std::path::{Path, PathBuf};

use crate::Error;
use crate::process::{Line, root, target};

/// The library as Cargo names it, and as programs do.
const LIBRARY: &str = "libascendcl.so";

/// Libraries of CANN whose functions are all in the one. The loader takes links to one file for the
/// one library that they are, so their functions share their state.
const ALIASES: [&str; 9] = [
    "libacl_dvpp.so",
    "libacl_dvpp_mpi.so",
    "libacl_op_compiler.so",
    "libnnopbase.so",
    "libopapi.so",
    "libopapi_math.so",
    "libopapi_nn.so",
    "libruntime.so",
    "libascendcl_impl.so",
];

/// Headers of CANN that programs include; here each leads to the one.
const HEADERS: [&str; 11] = [
    "acl/acl_base.h",
    "acl/acl_base_rt.h",
    "acl/acl_op.h",
    "acl/acl_rt.h",
    "acl/dvpp/hi_dvpp.h",
    "acl/error_codes/rt_error_codes.h",
    "acl/ops/acl_dvpp.h",
    "aclnn/acl_meta.h",
    "aclnn/aclnn_base.h",
    "aclnnop/aclnn_add.h",
    "aclnnop/aclnn_mul.h",
];

/// Runs the command.
pub(crate) fn command(options: &[&str]) -> Result<(), Error> {
    let (out, debug) = match options {
        ["--out", out] => (out, false),
        ["--out", out, "--debug"] | ["--debug", "--out", out] => (out, true),
        _ => {
            return Err(Error::Usage(
                "`capi` takes --out <folder>, and --debug if wanted".into(),
            ));
        }
    };
    let profile = if debug { "debug" } else { "release" };
    let flag: &[&str] = if debug { &[] } else { &["--release"] };
    Line::new("cargo build --quiet --package ascendcl-emulator-capi")
        .with_arguments(flag.iter().map(ToString::to_string))
        .run()?;
    let built = target(&root()).join(profile).join(LIBRARY);
    let out = env::current_dir()
        .map(|folder| folder.join(out))
        .map_err(|error| failed(Path::new(out), &error))?;
    lay_out(&built, &out).map_err(|error| failed(&out, &error))?;
    let text = header::write(&root())?;
    let path = out.join("include/acl/acl.h");
    fs::write(&path, text).map_err(|error| failed(&path, &error))
}

fn failed(path: &Path, error: &io::Error) -> Error {
    Error::Failed(format!("{} cannot be written: {error}", path.display()))
}

/// Makes everything but the header.
fn lay_out(built: &Path, out: &Path) -> io::Result<()> {
    let libraries = out.join("lib64");
    fs::create_dir_all(&libraries)?;
    let library = libraries.join(LIBRARY);
    // A new file: a program that runs has the old one mapped.
    remove(&library)?;
    fs::copy(built, &library)?;
    for alias in ALIASES {
        let link = libraries.join(alias);
        remove(&link)?;
        symlink(LIBRARY, link)?;
    }
    fs::create_dir_all(out.join("include/acl"))?;
    for name in HEADERS {
        let path = out.join("include").join(name);
        if let Some(folder) = path.parent() {
            fs::create_dir_all(folder)?;
        }
        fs::write(
            path,
            "/* All of AscendCL that the emulator knows is in one file. */\n#include \"acl/acl.h\"\n",
        )?;
    }
    fs::write(out.join("set_env.sh"), environment(&out.canonicalize()?))
}

fn remove(path: &PathBuf) -> io::Result<()> {
    match fs::remove_file(path) {
        Err(error) if error.kind() != io::ErrorKind::NotFound => Err(error),
        _ => Ok(()),
    }
}

/// What a shell sources.
fn environment(out: &Path) -> String {
    let home = out.display().to_string().replace('\'', r"'\''");
    format!(
        "# Makes programs use the emulator of AscendCL: . set_env.sh\n\
         export ASCEND_HOME_PATH='{home}'\n\
         export ASCEND_TOOLKIT_HOME=\"$ASCEND_HOME_PATH\"\n\
         export LD_LIBRARY_PATH=\"$ASCEND_HOME_PATH/lib64${{LD_LIBRARY_PATH:+:$LD_LIBRARY_PATH}}\"\n\
         export LIBRARY_PATH=\"$ASCEND_HOME_PATH/lib64${{LIBRARY_PATH:+:$LIBRARY_PATH}}\"\n\
         export CPATH=\"$ASCEND_HOME_PATH/include${{CPATH:+:$CPATH}}\"\n"
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_options_are_a_folder_and_perhaps_debug() {
        for options in [&[][..], &["--out"], &["--debug"], &["--out", "a", "b"]] {
            assert!(
                matches!(command(options), Err(Error::Usage(_))),
                "{options:?}"
            );
        }
    }

    #[test]
    fn a_folder_with_a_quote_in_its_name_is_quoted() {
        let text = environment(Path::new("it's here"));
        assert!(text.contains(r"ASCEND_HOME_PATH='it'\''s here'"), "{text}");
    }
}
