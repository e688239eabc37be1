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
use crate::process::{Line, root, target};

use source::Device;

/// Beginnings of names of headers that come with the toolkit. Where one is missing, another one stands in: with the
/// declarations of AscendCL, which is for the host, or an empty one.
const OF_TOOLKIT: [&str; 9] = [
    "acl/",
    "aclrtlaunch_",
    "cpu_debug_launch.h",
    "data_utils.h",
    "kernel_",
    "lib/",
    "platform/",
    "tikicpulib.h",
    "tiling/",
];

/// Runs the command.
pub(crate) fn command(options: &[&str]) -> Result<(), Error> {
    let end = options.iter().position(|&option| option == "--");
    let (own, rest) = options.split_at(end.unwrap_or(options.len()));
    let of_compiler = rest.get(1..).unwrap_or_default();
    let (source, out) = match own {
        [source] if !source.starts_with('-') => (source, Path::new(source).with_extension("so")),
        [source, "--out", out] | ["--out", out, source] if !source.starts_with('-') => {
            (source, PathBuf::from(out))
        }
        _ => {
            let takes = "`kernel` takes a source, --out <file> if wanted, and options of the compiler behind --";
            return Err(Error::Usage(takes.into()));
        }
    };
    let kernels = compile(Path::new(source), &out, of_compiler)?;
    say(&format!("{}: {}\n", out.display(), kernels.join(", ")));
    Ok(())
}

/// Makes the shared object, and returns the names of its kernels.
fn compile(source: &Path, out: &Path, options: &[&str]) -> Result<Vec<String>, Error> {
    let (source, out) = (here()?.join(source), here()?.join(out));
    text(&source)?;
    // A file of its own for each object, since several may be made at once.
    let name = out.display().to_string().replace('/', "_");
    let between = target(&root()).join("kernel").join(name + ".ii");
    preprocess(&source, &between, options)?;
    let device = Device::read(&text(&between)?);
    let shown = source.display();
    if device.kernels.is_empty() {
        return Err(Error::Failed(match device.templates.first() {
            Some(name) => format!(
                "{shown}: the kernel `{name}` is a template, which has no one entry: add a kernel that calls it for one \
                 type, `extern \"C\" __global__ __aicore__ void {name}_float(GM_ADDR x) {{ {name}<float>(x); }}`"
            ),
            None => format!(
                "{shown}: no kernel is here: one is `extern \"C\" __global__ __aicore__ void add(GM_ADDR x) {{ .. }}`"
            ),
        }));
    }
    if !device.text.contains("struct ascendcl_kernel") {
        return Err(Error::Failed(format!(
            "{shown}: #include \"kernel_operator.h\" is missing"
        )));
    }
    write(&between, &device.text)?;
    compiler(
        "-O2 -fno-strict-aliasing -shared -fPIC -fvisibility=hidden -x c++-cpp-output",
        &between,
    )?
    .with_arguments(["-o".into(), out.display().to_string()])
    .with_arguments(options.iter().map(ToString::to_string))
    .run()?;
    Ok(device.kernels)
}

/// Writes the source behind the preprocessor, with the words that mark functions.
fn preprocess(source: &Path, to: &Path, options: &[&str]) -> Result<(), Error> {
    let headers = target(&root()).join("kernel/headers");
    let line = compiler("-E -D__global__=__global__ -D__aicore__=__aicore__ -D__CCE_KT_TEST__ -DASCENDC_CPU_DEBUG -x c++", source)?
        .with_arguments(["-isystem".into(), root().join("emulator/include").display().to_string()])
        .with_arguments(["-idirafter".into(), headers.display().to_string()])
        .with_arguments(["-o".into(), to.display().to_string()])
        .with_arguments(options.iter().map(ToString::to_string));
    write(to, "")?;
    loop {
        let (status, said) = line.output().map_err(|error| match error {
            Error::Failed(why) => Error::Failed(format!(
                "{why}\nThere is no C++ compiler: `apt-get install g++`, or `dnf install gcc-c++`; CXX names another one"
            )),
            usage @ Error::Usage(_) => usage,
        })?;
        let missing = said
            .split_once("fatal error: ")
            .and_then(|(_, rest)| rest.split_once(": No such file"));
        match missing {
            _ if status.success() => return Ok(()),
            Some((name, _))
                if OF_TOOLKIT.iter().any(|of| name.starts_with(of))
                    && !headers.join(name).exists() =>
            {
                let of_host = if name.starts_with("acl/") {
                    capi::header()?
                } else {
                    String::new()
                };
                write(&headers.join(name), &of_host)?;
            }
            _ => return Err(Error::Failed(said)),
        }
    }
}

/// A line of the compiler. Its options may name files from where the user is.
fn compiler(options: &str, source: &Path) -> Result<Line, Error> {
    let name = env::var("CXX").unwrap_or_else(|_| "g++".into());
    let line = Line::new(&format!("{name} -std=c++17 {options}")).within(&here()?);
    Ok(line.with_arguments([source.display().to_string()]))
}

fn here() -> Result<PathBuf, Error> {
    env::current_dir().map_err(|error| Error::Failed(error.to_string()))
}

#[cfg(test)]
mod tests {
    use super::{command, compile};
    use crate::error::Error;
    use crate::files::text;
    use crate::process::{root, target};

    #[test]
    fn the_options_are_a_source_and_perhaps_more() {
        for line in ["", "--out a.so", "a.cpp b.cpp", "a.cpp --out", "a.cpp -O2"] {
            let options: Vec<_> = line.split_whitespace().collect();
            assert!(matches!(command(&options), Err(Error::Usage(_))), "{line}");
        }
    }

    #[test]
    fn a_kernel_of_the_tests_is_compiled() -> Result<(), Error> {
        let out = target(&root()).join("kernel/structure.so");
        let kernels = compile(
            &root().join("emulator/tests/kernels/structure.cpp"),
            &out,
            &[],
        )?;
        assert_eq!(kernels, ["by_value", "placed"]);
        Ok(())
    }

    #[test]
    fn the_kernel_of_the_example_is_compiled() -> Result<(), Error> {
        let out = target(&root()).join("kernel/bias_relu.so");
        let source = root().join("examples/kernel/bias_relu.cpp");
        assert_eq!(compile(&source, &out, &[])?, ["bias_relu"]);
        Ok(())
    }

    #[test]
    fn the_kernel_of_the_guide_is_one_of_the_tests() -> Result<(), Error> {
        let tested = text(&root().join("emulator/tests/kernels/saxpy.cpp"))?;
        for language in ["en", "zh"] {
            let chapter = text(&root().join(format!("docs/guide/{language}/src/kernels.md")))?;
            let block = chapter.split("```cpp\n").nth(1);
            let block = block.and_then(|rest| rest.split("```").next());
            assert!(
                block.is_some_and(|block| tested.contains(block)),
                "{language}"
            );
        }
        Ok(())
    }

    #[test]
    fn a_source_without_a_kernel_is_refused() {
        let source = root().join("emulator/include/register/tilingdata_base.h");
        let failed = compile(&source, &target(&root()).join("kernel/none.so"), &[]);
        assert!(
            matches!(&failed, Err(Error::Failed(text)) if text.contains("no kernel is here")),
            "{failed:?}"
        );
    }
}
