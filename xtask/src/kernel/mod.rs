//! `cargo xtask kernel`: a shared object of an Ascend C kernel, which the emulator runs.
//!
//! The compiler's preprocessor goes first, so that comments, macros, conditions and included files are its own. In its
//! output, kernels are found by `__global__`, and functions of the host are left out.

mod source;

use std::env;
use std::path::{Path, PathBuf};

use crate::capi;
use crate::error::Error;
use crate::files::{text, write};
use crate::output::say;
use crate::process::{Line, here, root, target};

use source::Device;

/// Beginnings of names of headers that come with the toolkit. Where one is missing, another one stands in: with the
/// declarations of AscendCL, which is for the host, or an empty one.
const OF_TOOLKIT: &str = "\
acl/ aclrtlaunch_ cpu_debug_launch.h data_utils.h kernel_ lib/ platform/ tikicpulib.h tiling/";

/// Runs the command.
pub(crate) fn command(
    source: &Path,
    out: Option<PathBuf>,
    options: &[String],
) -> Result<(), Error> {
    let out = out.unwrap_or_else(|| source.with_extension("so"));
    let kernels = compile(source, &out, options)?;
    say!("{}: {}\n", out.display(), kernels.join(", "));
    Ok(())
}

/// Makes the shared object, and returns the names of its kernels.
fn compile(source: &Path, out: &Path, options: &[String]) -> Result<Vec<String>, Error> {
    let (source, out) = (here(source)?, here(out)?);
    text(&source)?;
    // A file of its own for each object, since several may be made at once.
    let name = out.display().to_string().replace('/', "_");
    let between = target().join("kernel").join(name + ".ii");
    preprocess(&source, &between, options)?;
    let device = Device::read(&text(&between)?);
    let why = if let (true, Some(name)) = (device.kernels.is_empty(), device.templates.first()) {
        format!(
            "the kernel `{name}` is a template, which has no one entry: add a kernel that calls it for one \
             type, `extern \"C\" __global__ __aicore__ void {name}_float(GM_ADDR x) {{ {name}<float>(x); }}`"
        )
    } else if device.kernels.is_empty() {
        "no kernel is here: one is `extern \"C\" __global__ __aicore__ void add(GM_ADDR x) { .. }`"
            .into()
    } else if !device.text.contains("struct ascendcl_kernel") {
        "#include \"kernel_operator.h\" is missing".into()
    } else {
        write(&between, &device.text)?;
        let line = "-O2 -fno-strict-aliasing -shared -fPIC -fvisibility=hidden -x c++-cpp-output";
        compiler(line, &between)?
            .with_option("-o", &out)
            .with(options)
            .run()?;
        return Ok(device.kernels);
    };
    Err(format!("{}: {why}", source.display()).into())
}

/// Writes the source behind the preprocessor, with the words that mark functions.
fn preprocess(source: &Path, to: &Path, options: &[String]) -> Result<(), Error> {
    let headers = target().join("kernel/headers");
    let line = compiler(
        "-E -D__global__=__global__ -D__aicore__=__aicore__ -D__CCE_KT_TEST__ -DASCENDC_CPU_DEBUG -x c++",
        source,
    )?;
    let line = line.with_option("-isystem", root().join("emulator/include"));
    let line = line.with_option("-idirafter", &headers);
    let line = line.with_option("-o", to).with(options);
    write(to, "")?;
    loop {
        let (status, said) = line.output().map_err(|why| {
            let hint = "There is no C++ compiler: `apt-get install g++`, or `dnf install gcc-c++`; CXX names another one";
            format!("{why}\n{hint}")
        })?;
        if status.success() {
            return Ok(());
        }
        let missing = said.split_once("fatal error: ");
        let missing = missing.map_or("", |(_, rest)| rest);
        let missing = missing
            .split_once(": No such file")
            .map_or("", |(name, _)| name);
        let mut is_known = OF_TOOLKIT.split_whitespace();
        let is_known = is_known.any(|of| missing.starts_with(of));
        if !is_known || headers.join(missing).exists() {
            return Err(said.into());
        }
        let of_host = missing.starts_with("acl/").then(capi::header).transpose()?;
        write(headers.join(missing), &of_host.unwrap_or_default())?;
    }
}

/// A line of the compiler. Its options may name files from where the user is.
fn compiler(options: &str, source: &Path) -> Result<Line, Error> {
    let name = env::var("CXX").unwrap_or_else(|_| "g++".into());
    let line = Line::new(&format!("{name} -std=c++17 {options}")).within(&here("")?);
    Ok(line.with([source]))
}

#[cfg(test)]
mod tests {
    use super::compile;
    use crate::error::Error;
    use crate::files::text;
    use crate::process::{root, target};

    #[test]
    fn kernels_of_the_tests_and_of_the_example_are_compiled() {
        let compiled = |source: &str, out: &str| {
            let out = target().join("kernel").join(out);
            let made = compile(&root().join(source), &out, &[]);
            made.map_or_else(|error| error.to_string(), |kernels| kernels.join(" "))
        };
        let of_tests = compiled("emulator/tests/kernels/structure.cpp", "structure.so");
        assert_eq!(of_tests, "by_value placed");
        assert_eq!(
            compiled("examples/kernel/bias_relu.cpp", "bias_relu.so"),
            "bias_relu"
        );
        let none = compiled("emulator/include/register/tilingdata_base.h", "none.so");
        assert!(none.contains("no kernel is here"), "{none}");
    }

    #[test]
    fn the_kernel_of_the_guide_is_one_of_the_tests() -> Result<(), Error> {
        let tested = text("emulator/tests/kernels/saxpy.cpp")?;
        for language in ["en", "zh"] {
            let chapter = text(format!("docs/guide/{language}/src/kernels.md"))?;
            let (_, rest) = chapter.split_once("```cpp\n").unwrap_or_default();
            let block = rest.split("```").next().filter(|block| !block.is_empty());
            assert!(
                block.is_some_and(|block| tested.contains(block)),
                "{language}"
            );
        }
        Ok(())
    }
}
