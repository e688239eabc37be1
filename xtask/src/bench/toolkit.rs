//! The peers whose build needs a CUDA toolkit, and the parts of a toolkit that they need.
//!
//! `cust` contains its bindings and links the library in a folder `lib64`. `cuda-core` makes its bindings from the
//! headers with libclang, and both are in wheels. It loads the library of CUDA at run time.

use std::fs;
use std::io;
use std::os::unix::fs::symlink;
use std::path::{Path, PathBuf};

use crate::error::{Context as _, Error};
use crate::process::Line;
use crate::wheel::{Missing, Wheel};

/// A workspace of their own, since they do not build without this.
pub(super) const WORKSPACE: &str = "benches/peers/toolkit/Cargo.toml";

/// The library as Cargo names it, and the first name that `cuda-core` looks for: the name of the library where CUDA
/// has a driver.
const LIBRARIES: [&str; 2] = ["libcuda.so", "libcuda.so.1"];

const RUNTIME: Wheel<'_> = nvidia("nvidia-cuda-runtime", "13.5.37");
/// Headers that those of the runtime include.
const CRT: Wheel<'_> = nvidia("nvidia-cuda-crt", "13.5.37");
const RANDOM: Wheel<'_> = nvidia("nvidia-curand", "10.4.5.25");
const LIBCLANG: Wheel<'_> = Wheel {
    name: "libclang",
    version: "18.1.1",
    platforms: &["manylinux2010_x86_64"],
    files: r"/libclang\.so$",
};
/// Where its library is in that wheel.
const NATIVE: &str = "libclang-18.1.1.data/platlib/clang/native";

const fn nvidia(name: &'static str, version: &'static str) -> Wheel<'static> {
    Wheel {
        name,
        version,
        platforms: &["manylinux2014_x86_64", "manylinux_2_27_x86_64"],
        files: "/include/",
    }
}

/// Variables of a build, and their values.
pub(super) type Environment = Vec<(&'static str, String)>;

/// The settings to build and run the two peers.
#[derive(Debug)]
pub(super) struct Toolkit {
    /// Holds `lib64`.
    folder: PathBuf,
    /// The settings to build `cuda-core`, or one line with the reason why it cannot be built.
    pub(super) cuda_core: Result<Environment, String>,
}

/// Makes the parts of a toolkit from the library that only counts and from wheels.
pub(super) fn lay_out(built: &Path) -> Result<Toolkit, Error> {
    let folder = built.join("toolkit");
    let made = link(&folder.join("lib64"), &built.join("release"));
    made.on(format!("cannot lay out {}", folder.display()))?;
    // A reason in one line: the last line of pip has the error.
    let cuda_core = cuda_core().map_err(|missing| match missing {
        Missing::Offline => "it needs headers: the package index cannot be reached".to_owned(),
        Missing::Failed(error) => {
            let text = error.to_string();
            format!(
                "it needs headers: {}",
                text.trim().lines().last().unwrap_or_default()
            )
        }
    });
    Ok(Toolkit { folder, cuda_core })
}

/// Links to the same library. The loader then uses one library under each name.
fn link(names: &Path, built: &Path) -> io::Result<()> {
    fs::create_dir_all(names)?;
    for name in LIBRARIES {
        let link = names.join(name);
        // Left by an earlier run.
        let _ = fs::remove_file(&link);
        symlink(fs::canonicalize(built.join(LIBRARIES[0]))?, link)?;
    }
    Ok(())
}

impl Toolkit {
    /// The folder of the library, for programs that run.
    pub(super) fn libraries(&self) -> String {
        self.folder.join("lib64").display().to_string()
    }

    /// The settings to build `cust`.
    pub(super) fn cust(&self) -> Environment {
        vec![("CUDA_LIBRARY_PATH", self.folder.display().to_string())]
    }
}

/// Fetches what the build of `cuda-core` reads.
fn cuda_core() -> Result<Environment, Missing> {
    if !cfg!(all(target_os = "linux", target_arch = "x86_64")) {
        return Err(Error::from("they are fetched for Linux on x86-64 only".to_owned()).into());
    }
    let kept = |wheel: &Wheel<'_>, file: &str| {
        let folder = format!("ascendcl-peers/{}-{}", wheel.name, wheel.version);
        wheel.kept("bench", &folder, file)
    };
    let runtime = kept(&RUNTIME, "nvidia/cu13/include/cuda.h")?;
    let crt = kept(&CRT, "nvidia/cu13/include/crt/host_config.h")?;
    let random = kept(&RANDOM, "nvidia/cu13/include/curand.h")?;
    let libclang = kept(&LIBCLANG, &format!("{NATIVE}/libclang.so"))?;
    // The folder of `stddef.h` and similar headers. The wheel of libclang has none.
    let compiler = Line::new("cc -print-file-name=include").run_quietly()?;
    // The folder of the headers that `cuda.h` and similar headers include.
    let options = format!(
        "-I'{}' -I'{}' -isystem '{}'",
        crt.join("nvidia/cu13/include").display(),
        random.join("nvidia/cu13/include").display(),
        compiler.trim()
    );
    let folder = |path: PathBuf| path.display().to_string();
    Ok(vec![
        ("CUDA_TOOLKIT_PATH", folder(runtime.join("nvidia/cu13"))),
        ("BINDGEN_EXTRA_CLANG_ARGS", options),
        ("LIBCLANG_PATH", folder(libclang.join(NATIVE))),
    ])
}
