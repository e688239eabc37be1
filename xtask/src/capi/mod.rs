//! `cargo xtask capi`: the emulator as a C library, with the folders that programs expect of a CANN toolkit.
//!
//! The tree has `lib64` with `libascendcl.so` and the other names that programs link with or load, `include` with a
//! header of this project, the files that build scripts look for in a toolkit (`runtime`, `version.cfg`,
//! `share/info`), the Python module `acl`, and `set_env.sh` to source.

mod header;
mod python;

use std::os::unix::fs::symlink;
use std::path::Path;
use std::{fs, io};

use crate::declarations::Declarations;
use crate::error::{Context as _, Error};
use crate::files::{removed, write};
use crate::process::{Line, here, target};

/// The library as Cargo names it.
pub(crate) const BUILT: &str = "libascendcl_emulator_capi.so";

/// The library as programs name it.
const LIBRARY: &str = "libascendcl.so";

/// Libraries of CANN whose functions are all in the one library. The loader takes links to one file as one library,
/// so their functions share their state.
const ALIASES: &str = "\
libacl_dvpp.so libacl_dvpp_mpi.so libacl_op_compiler.so libacl_rt.so libacl_rt_impl.so libhccl.so
libmsprofiler.so libnnopbase.so libopapi.so libopapi_cv.so libopapi_math.so libopapi_nn.so
libopapi_transformer.so libruntime.so libascendcl_impl.so";

/// Libraries that build files name for whole toolkits. The emulator has few or none of their functions. A program
/// that names one of them and uses none of its functions is built. For another program the linker names the missing
/// functions.
const NAMED_ONLY: &str = "\
libacl_cblas.so libacl_tdt_channel.so libacl_tdt_queue.so libascend_dump.so libc_sec.so libgraph.so
libplatform.so libprofapi.so libregister.so libtiling_api.so";

/// Headers of CANN that programs include. Here each includes the header of everything except operators.
const HEADERS: &str = "\
acl/acl_base.h acl/acl_base_mdl.h acl/acl_base_rt.h acl/acl_dump.h acl/acl_mdl.h acl/acl_op.h
acl/acl_op_compiler.h acl/acl_prof.h acl/acl_rt.h acl/acl_rt_allocator.h acl/acl_rt_memory_soma.h
acl/error_codes/rt_error_codes.h acl/ops/acl_dvpp.h aclnn/acl_meta.h aclnn/aclnn_base.h hccl/hccl.h
hccl/hccl_types.h";

/// Headers whose functions are not modelled. Programs include them beside the others. A compiler message says that
/// they are empty.
const EMPTY_HEADERS: &str = "\
acl/acl_platform.h acl/acl_tdt.h acl/acl_tdt_queue.h acl/ops/acl_cblas.h
aclnnop/aclnn_recurrent_gated_delta_rule.h";

/// The text of a header that includes that header.
const LEADS: &str = "\
/* All of AscendCL that the emulator knows is in one file, except operators. */
#include \"acl/acl.h\"
";

/// The version of CANN whose functions the emulator has.
const VERSION: &str = "9.0.0";

/// Runs the command.
pub(crate) fn command(out: &Path, is_debug: bool, features: Option<&str>) -> Result<(), Error> {
    let profile = if is_debug { "debug" } else { "release" };
    Line::new("cargo build --quiet --package ascendcl-emulator-capi")
        .with((!is_debug).then_some("--release"))
        .with(features.map(|list| format!("--features={list}")))
        .run()?;
    let built = target().join(profile).join(BUILT);
    let out = here(out)?;
    let all = Declarations::read()?;
    lay_out(&built, &out, &all)
}

/// The text of `acl/acl.h`.
pub(crate) fn header() -> Result<String, Error> {
    Ok(header::write(&Declarations::read()?))
}

/// Compiles a C program with the folder that the command has made. The error has what the compiler says.
pub(crate) fn compile(
    toolkit: &Path,
    source: &Path,
    program: &Path,
    options: &[&str],
) -> Result<(), Error> {
    let compiler = Line::new("cc -D_POSIX_C_SOURCE=200809L -g -pthread")
        .with(options)
        .with([source])
        .with_option("-o", program)
        .with_option("-I", toolkit.join("include"))
        .with_option("-L", toolkit.join("lib64"))
        .with(["-lascendcl", "-lopapi", "-lnnopbase", "-lhccl", "-ldl"]);
    compiler.run_quietly().map(drop)
}

/// Makes the tree.
fn lay_out(built: &Path, out: &Path, all: &Declarations) -> Result<(), Error> {
    let failed = format!("cannot write {}", out.display());
    let words = str::split_whitespace;
    let (libraries, include) = (out.join("lib64"), out.join("include"));
    fs::create_dir_all(&libraries).on(&failed)?;
    let library = libraries.join(LIBRARY);
    // A new file, because a running program has the old one mapped.
    let copied = removed(fs::remove_file(&library)).and_then(|()| fs::copy(built, &library));
    copied.on(&failed)?;
    for alias in words(ALIASES).chain(words(NAMED_ONLY)) {
        link(LIBRARY, &libraries.join(alias)).on(&failed)?;
    }
    write(include.join("acl/acl.h"), &header::write(all))?;
    for name in words(HEADERS) {
        write(include.join(name), LEADS)?;
    }
    for (name, text) in [
        ("acl/dvpp/hi_dvpp.h", header::OF_MEDIA),
        ("aclnn/opdev/op_errno.h", header::OF_CODES),
        ("aclnn/opdev/fp16_t.h", header::OF_HALVES),
    ] {
        write(include.join(name), &format!("{LEADS}{text}"))?;
    }
    write(include.join("securec.h"), header::OF_COPIES)?;
    write(
        out.join("python/site-packages/acl.py"),
        &python::module(all),
    )?;
    for (name, text) in header::of_operators(all) {
        write(include.join("aclnnop").join(name), &text)?;
    }
    for name in words(EMPTY_HEADERS) {
        let says = format!("#pragma message(\"the emulator models nothing of {name}\")\n{LEADS}");
        write(include.join(name), &says)?;
    }
    // Build files of older releases look for the runtime in a folder of its own.
    fs::create_dir_all(out.join("runtime")).on(&failed)?;
    for folder in ["include", "lib64"] {
        let path = out.join("runtime").join(folder);
        link(&format!("../{folder}"), &path).on(&failed)?;
    }
    write(out.join("version.cfg"), &installed())?;
    let info = format!("Version={VERSION}\n");
    write(out.join("share/info/runtime/version.info"), &info)?;
    let environment = environment(&out.canonicalize().on(&failed)?);
    write(out.join("set_env.sh"), &environment)
}

/// Makes a link, anew if there is one.
fn link(to: &str, path: &Path) -> io::Result<()> {
    removed(fs::remove_file(path)).and_then(|()| symlink(to, path))
}

/// The version file of a toolkit. Build scripts recognise a toolkit by it.
fn installed() -> String {
    let of = |which| format!("runtime_{which}_version=[{VERSION}:{VERSION}]\n");
    let lines: String = ["running", "upgrade", "installed"].map(of).concat();
    format!("# version: 1.0\n{lines}")
}

/// The file that a shell sources.
fn environment(out: &Path) -> String {
    let home = out.display().to_string().replace('\'', r"'\''");
    include_str!("../../data/set_env.sh").replace("@HOME@", &home)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A program that Cargo starts looks for `libascendcl.so` in the folders of Cargo first.
    #[test]
    fn no_program_takes_the_built_library_for_that_of_cann() {
        assert_ne!(BUILT, LIBRARY);
    }

    /// The empty headers are written last.
    #[test]
    fn no_empty_header_is_that_of_an_operator() -> Result<(), Error> {
        let all = Declarations::read()?;
        let headers = header::of_operators(&all);
        for name in EMPTY_HEADERS.split_whitespace() {
            let name = name.trim_start_matches("aclnnop/");
            assert!(!headers.contains_key(name), "{name}");
        }
        Ok(())
    }

    #[test]
    fn a_folder_with_a_quote_in_its_name_is_quoted() {
        let text = environment(Path::new("it's here"));
        assert!(text.contains(r"ASCEND_HOME_PATH='it'\''s here'"), "{text}");
    }
}
