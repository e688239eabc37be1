//! C programs with the C library: correct programs without a finding of the checker, one program for each mistake
//! that the checker finds, and programs that misuse the calls and compare the codes.
//!
//! The programs are in `tests/c`. The `cc` of the system compiles them with the header that `cargo xtask capi`
//! writes. The file of a mistake has the name of the finding up to the first dot, and the word `here` marks the line
//! that the finding names. In the first comment `with NAME=VALUE` sets a variable, `the processor ends` says how the
//! program ends, and `on x86-64` says where the mistake is found.
//!
//! With the variable `ASCENDCL_TEST_LIBRARIES`, the folder of the libraries of CANN, the correct programs and the misuses
//! run on those libraries. Programs that say `On the emulator` or `with ASCENDCL_EMULATOR_..` are skipped then, like the
//! tests of the checker and of the toolkit, and programs that need a library which is not in the folder.

#![allow(
    clippy::unwrap_used,
    clippy::indexing_slicing,
    reason = "a test fails by panicking"
)]

mod toolkit;

use std::fs;
use std::os::unix::process::ExitStatusExt;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};
use std::sync::OnceLock;

use tinyjson::JsonValue;

use toolkit::{root, toolkit};

/// Exit status of a process with findings.
const FINDINGS: i32 = 66;
/// Number of kinds of findings (`ascendcl_emulator::Mistake`).
const KINDS: usize = 37;
/// The kind that no program in C has: what a kernel has to write, only a typed program declares.
const ONLY_TYPED: &str = "output-unwritten";
/// The signal that ends a process which dereferences an invalid pointer.
const SIGSEGV: i32 = 11;

/// Returns the folder with the kernels of `emulator/tests/kernels`, which the first call builds.
fn kernels() -> &'static Path {
    static KERNELS: OnceLock<PathBuf> = OnceLock::new();
    KERNELS.get_or_init(|| {
        let out = Path::new(env!("CARGO_TARGET_TMPDIR")).join("kernels");
        fs::create_dir_all(&out).unwrap();
        for name in ["add", "mistakes", "structure"] {
            // The line in the head of `kernel_operator.h`.
            let options = "-std=c++17 -O2 -fno-strict-aliasing -shared -fPIC -fvisibility=hidden -D__CCE_KT_TEST__";
            let mut compiler = Command::new("g++");
            compiler.args(options.split(' ')).arg("-I").arg(root().join("emulator/include"));
            let source = format!("emulator/tests/kernels/{name}.cpp");
            compiler.arg(root().join(source)).arg("-o").arg(out.join(name).with_extension("so"));
            assert!(compiler.status().unwrap().success(), "g++ of {name}");
        }
        out
    })
}

/// Returns the folder of the libraries under test, if they are not those of the emulator.
fn other_libraries() -> Option<PathBuf> {
    std::env::var_os("ASCENDCL_TEST_LIBRARIES").map(PathBuf::from)
}

/// Compiles a program. If the compiler fails, the test fails with its output.
fn compile(source: &Path, options: &[&str]) -> PathBuf {
    compiled(source, options)
        .unwrap_or_else(|words| unreachable!("{} does not compile:\n{words}", source.display()))
}

/// Compiles a program for the libraries under test. If the compiler fails, this returns its output.
fn compiled(source: &Path, options: &[&str]) -> Result<PathBuf, String> {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("c");
    fs::create_dir_all(&folder).unwrap();
    let program = folder.join(source.file_stem().unwrap());
    let mut cc = Command::new("cc");
    cc.args([
        "-D_POSIX_C_SOURCE=200809L",
        "-Wall",
        "-Wextra",
        "-Werror",
        "-g",
    ]);
    cc.args(options).arg("-I").arg(toolkit().join("include"));
    cc.arg(source).arg("-o").arg(&program);
    let folder = other_libraries().unwrap_or_else(|| toolkit().join("lib64"));
    cc.arg("-L").arg(&folder);
    let names = ["ascendcl", "acl_dvpp", "opapi", "nnopbase"];
    let there = names
        .iter()
        .filter(|name| folder.join(format!("lib{name}.so")).exists());
    cc.args(there.map(|name| format!("-l{name}")));
    let output = cc.args(["-lpthread", "-ldl"]).output();
    let output = output.unwrap_or_else(|error| {
        unreachable!("these tests need a C compiler, and `cc` cannot be started: {error}")
    });
    if output.status.success() {
        Ok(program)
    } else {
        Err(String::from_utf8_lossy(&output.stderr).into_owned())
    }
}

/// Runs a program on other libraries, and fails if the program does. Returns false if it is skipped.
fn runs_on_other(source: &Path) -> bool {
    let text = fs::read_to_string(source).unwrap();
    let first = text.lines().next().unwrap();
    if first.contains("On the emulator") || set_by(first).is_some() {
        return false;
    }
    let Ok(program) = compiled(source, &["-std=c99", "-pedantic"]) else {
        return false;
    };
    let output = run(&program, &[]);
    let words = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{}: {words}", source.display());
    true
}

fn run(program: &Path, variables: &[(&str, &str)]) -> Output {
    let mut command = Command::new(program);
    for (name, _) in std::env::vars_os() {
        if name.to_string_lossy().starts_with("ASCENDCL") {
            command.env_remove(name);
        }
    }
    match other_libraries() {
        // These libraries may need others.
        Some(folder) => {
            let more = std::env::var_os("LD_LIBRARY_PATH").unwrap_or_default();
            let all = std::env::split_paths(&more);
            let all = std::env::join_paths([folder.clone()].into_iter().chain(all)).unwrap();
            command.env("LD_LIBRARY_PATH", all);
            command.env("ASCENDCL_TEST_LIBRARIES", folder);
        }
        None => {
            command.env("LD_LIBRARY_PATH", toolkit().join("lib64"));
        }
    }
    // The folder for temporary files.
    command.env("TMPDIR", env!("CARGO_TARGET_TMPDIR"));
    command.env("ASCENDCL_TEST_KERNELS", kernels());
    command.envs(variables.iter().copied()).output().unwrap()
}

/// Returns the programs of a folder.
fn programs(folder: &str) -> Vec<PathBuf> {
    let files = fs::read_dir(root().join("tests/c").join(folder)).unwrap();
    let mut files: Vec<_> = files.map(|file| file.unwrap().path()).collect();
    files.retain(|file| file.extension().is_some_and(|extension| extension == "c"));
    files.sort();
    files
}

#[test]
fn right_programs_run_and_the_checker_is_silent() {
    let programs = programs("");
    macro_rules! words {
        ($($area:ident $Table:ident $functions:ident,)*) => { [$(stringify!($area)),*] };
    }
    let areas = ascendcl_sys::for_each_area!(words);
    let others = ["copy", "log", "names", "random", "share"];
    for area in areas.into_iter().chain(others) {
        let has = programs
            .iter()
            .any(|program| program.file_stem().unwrap() == area);
        assert!(has, "{area} has no program");
    }
    if other_libraries().is_some() {
        let ran = programs.iter().filter(|program| runs_on_other(program));
        assert!(ran.count() > 5, "the folder has no libascendcl.so");
        return;
    }
    for source in programs {
        let program = compile(&source, &["-std=c99", "-pedantic"]);
        for variables in [
            &[][..],
            &[("ASCENDCL_EMULATOR_CHECK", "leaks")],
            &[("ASCENDCL_EMULATOR_CHECK", "left-to-reset")],
            &[
                ("ASCENDCL_EMULATOR_CHECK", "leaks"),
                ("ASCENDCL_EMULATOR_SCHEDULE", "lazy"),
            ],
        ] {
            let output = run(&program, variables);
            let words = String::from_utf8_lossy(&output.stderr);
            assert!(
                output.status.success(),
                "{} {variables:?}: {words}",
                source.display()
            );
            assert_eq!(words, "", "{} {variables:?}", source.display());
        }
    }
}

#[cfg(all(feature = "emulator-onnx", feature = "emulator-media"))]
#[test]
fn a_picture_is_decoded_scaled_and_classified() {
    if other_libraries().is_some() {
        return;
    }
    let program = compile(
        &root().join("tests/c/engines/classify.c"),
        &["-std=c99", "-pedantic"],
    );
    let example = root().join("examples/classify");
    for (picture, class) in [("six_1771", "6"), ("nine_1759", "9"), ("five_1741", "5")] {
        let mut command = Command::new(&program);
        command.arg(example.join("digits.onnx"));
        command
            .arg(example.join(format!("pictures/{picture}.jpg")))
            .arg(class);
        command.env("LD_LIBRARY_PATH", toolkit().join("lib64"));
        let output = command
            .env("ASCENDCL_EMULATOR_CHECK", "leaks")
            .output()
            .unwrap();
        let words = String::from_utf8_lossy(&output.stderr);
        assert!(output.status.success(), "{picture}: {words}");
        assert_eq!(words, "", "{picture}");
    }
}

/// Returns the variable that the first line of a program sets.
fn set_by(first: &str) -> Option<(&str, &str)> {
    let (_, set) = first.split_once("with ")?;
    set.trim_end_matches(" */").split_once('=')
}

#[test]
fn each_misuse_answers_its_code() {
    if other_libraries().is_some() {
        let programs = programs("codes");
        let ran = programs.iter().filter(|program| runs_on_other(program));
        assert!(ran.count() > 0, "the folder has no libascendcl.so");
        return;
    }
    for source in programs("codes") {
        let text = fs::read_to_string(&source).unwrap();
        let program = compile(&source, &["-std=c99", "-pedantic"]);
        let variables: Vec<_> = set_by(text.lines().next().unwrap()).into_iter().collect();
        let output = run(&program, &variables);
        let words = String::from_utf8_lossy(&output.stderr);
        assert!(output.status.success(), "{}: {words}", source.display());
    }
}

#[test]
fn each_mistake_is_found_where_it_is_made() {
    if other_libraries().is_some() {
        return;
    }
    let sources = programs("mistakes");
    let stem = |source: &PathBuf| source.file_stem().unwrap().to_str().unwrap().to_owned();
    let mut ids: Vec<_> = sources
        .iter()
        .map(|source| stem(source).split('.').next().unwrap().to_owned())
        .collect();
    ids.dedup();
    assert!(!ids.iter().any(|id| id == ONLY_TYPED));
    ids.push(ONLY_TYPED.to_owned());
    assert_eq!(
        ids.len(),
        KINDS,
        "each kind of finding has a program: {ids:?}"
    );
    for source in sources {
        let name = source.file_stem().unwrap().to_str().unwrap();
        // The text after a dot distinguishes several programs with the same mistake.
        let id = name.split('.').next().unwrap();
        let text = fs::read_to_string(&source).unwrap();
        let program = compile(&source, &["-std=c99", "-pedantic"]);
        let report = program.with_extension("json");
        let mut variables = vec![("ASCENDCL_EMULATOR_REPORT", report.to_str().unwrap())];
        let first = text.lines().next().unwrap();
        if first.contains("on x86-64") && !cfg!(target_arch = "x86_64") {
            continue;
        }
        variables.extend(set_by(first));
        for schedule in ["eager", "lazy"] {
            let mut variables = variables.clone();
            variables.push(("ASCENDCL_EMULATOR_SCHEDULE", schedule));
            let output = run(&program, &variables);
            let words = String::from_utf8_lossy(&output.stderr);
            let crashes = first.contains("the processor ends");
            let (code, signal) = if crashes {
                (None, Some(SIGSEGV))
            } else {
                (Some(FINDINGS), None)
            };
            let status = output.status;
            assert_eq!(
                (status.code(), status.signal()),
                (code, signal),
                "{name}: {words}"
            );
            let report: JsonValue = fs::read_to_string(&report).unwrap().parse().unwrap();
            let findings: &Vec<JsonValue> = report["findings"].get().unwrap();
            for finding in findings {
                assert_eq!(finding["id"].get::<String>().unwrap(), id, "{words}");
            }
            let line = 1 + text
                .lines()
                .position(|line| line.contains("/* here */"))
                .unwrap();
            let place = format!("{name}.c:{line}");
            assert!(words.contains(&place), "{place} is not named: {words}");
        }
    }
}

#[test]
fn every_declared_function_is_in_the_library_and_the_header_is_cpp_too() {
    if other_libraries().is_some() {
        return;
    }
    let header = fs::read_to_string(toolkit().join("include/acl/acl.h")).unwrap();
    let names: Vec<&str> = header
        .lines()
        .filter(|line| {
            line.ends_with(");") && !line.starts_with("typedef") && !line.starts_with(' ')
        })
        .filter_map(|line| line.split_once('(')?.0.rsplit([' ', '*']).next())
        .collect();
    assert!(
        names.len() > 90 && names.contains(&"aclrtMalloc"),
        "{names:?}"
    );
    let uses: String = names
        .iter()
        .map(|name| format!("    used += {name} != NULL;\n"))
        .collect();
    let text = format!(
        "#include \"acl/acl.h\"\n#include \"acl/acl_rt.h\"\n#include \"acl/ops/acl_dvpp.h\"\n\
         int main(void) {{\n    int used = 0;\n{uses}    return used == {} ? 0 : 1;\n}}\n",
        names.len()
    );
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR"));
    for (file, options) in [
        ("every_function.c", &["-Wno-address", "-std=c99"]),
        ("every_function.cpp", &["-Wno-address", "-std=c++11"]),
    ] {
        let source = folder.join(file);
        fs::write(&source, &text).unwrap();
        let output = run(&compile(&source, options), &[]);
        assert!(output.status.success(), "{file}: {output:?}");
    }
}

#[test]
fn names_of_cpp_are_read() {
    if other_libraries().is_some() {
        return;
    }
    let text = "#include <string>\n#include \"acl/acl.h\"\n\
                namespace sample { void release(void *memory, const std::string &name) {\n\
                aclrtFree(memory); if (!name.empty()) aclrtFree(memory); } }\n\
                int main() {\n    void *memory = nullptr;\n    aclInit(nullptr);\n    aclrtSetDevice(0);\n\
                aclrtMalloc(&memory, 64, ACL_MEM_MALLOC_HUGE_FIRST);\n\
                sample::release(memory, \"twice\");\n    aclrtResetDevice(0);\n    return aclFinalize();\n}\n";
    let source = Path::new(env!("CARGO_TARGET_TMPDIR")).join("names.cpp");
    fs::write(&source, text).unwrap();
    // Without debug information, so that the names come from the symbol table.
    let options = ["-std=c++11", "-g0", "-O0", "-Wl,--no-as-needed", "-lstdc++"];
    let program = compile(&source, &options);
    let output = run(&program, &[("ASCENDCL_EMULATOR_CHECK", "leaks")]);
    assert_eq!(output.status.code(), Some(FINDINGS), "{output:?}");
    let words = String::from_utf8_lossy(&output.stderr);
    let name = "in sample::release(void*, std::__cxx11::basic_string<";
    assert!(words.contains(name), "{words}");
}

#[test]
fn the_environment_is_all_that_a_build_needs() {
    if other_libraries().is_some() {
        return;
    }
    let script = "set -eu\n. \"$1/set_env.sh\"\ncc \"$2\" -o \"$3\" -lascendcl\n\"$3\"\n";
    let source = root().join("tests/c/media.c");
    let program = Path::new(env!("CARGO_TARGET_TMPDIR")).join("sourced");
    let mut shell = Command::new("sh");
    shell
        .env_remove("LD_LIBRARY_PATH")
        .args(["-c", script, "sh"])
        .arg(toolkit());
    let output = shell.arg(source).arg(program).output().unwrap();
    let words = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{words}");
}

/// Returns the libraries of the toolkit, as `-l` names them.
fn libraries() -> Vec<String> {
    let files = fs::read_dir(toolkit().join("lib64")).unwrap();
    let names = files.map(|file| file.unwrap().file_name().into_string().unwrap());
    let stem = |name: String| {
        name.strip_prefix("lib")?
            .strip_suffix(".so")
            .map(str::to_owned)
    };
    names.filter_map(stem).collect()
}

#[test]
fn build_files_find_every_library_and_the_folders_of_the_runtime() {
    if other_libraries().is_some() {
        return;
    }
    let libraries = libraries();
    for name in [
        "ascendcl",
        "acl_rt",
        "acl_rt_impl",
        "acl_cblas",
        "acl_tdt_channel",
        "acl_tdt_queue",
        "ascend_dump",
        "c_sec",
        "graph",
        "msprofiler",
        "platform",
        "profapi",
        "register",
        "tiling_api",
    ] {
        assert!(libraries.iter().any(|other| other == name), "lib{name}.so");
    }
    let runtime = toolkit().join("runtime");
    let program = Path::new(env!("CARGO_TARGET_TMPDIR")).join("all_libraries");
    let mut cc = Command::new("cc");
    cc.arg("-I").arg(runtime.join("include"));
    cc.arg(root().join("tests/c/media.c"))
        .arg("-o")
        .arg(&program);
    // All libraries, also those that the program does not use.
    cc.arg("-L")
        .arg(runtime.join("lib64"))
        .arg("-Wl,--no-as-needed");
    cc.args(libraries.iter().map(|name| format!("-l{name}")));
    let output = cc.output().unwrap();
    assert!(
        output.status.success(),
        "{}",
        String::from_utf8_lossy(&output.stderr)
    );
    let output = run(&program, &[]);
    assert!(output.status.success(), "{output:?}");
}

#[test]
fn a_header_without_anything_behind_it_says_so() {
    if other_libraries().is_some() {
        return;
    }
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR"));
    let check = |name: &str, header: &str, uses: &str| {
        let source = folder.join(name);
        let text = format!("#include \"{header}\"\nint main(void) {{ {uses} return 0; }}\n");
        fs::write(&source, text).unwrap();
        let mut cc = Command::new("cc");
        cc.args([
            "-std=c99",
            "-Werror=implicit-function-declaration",
            "-fsyntax-only",
            "-I",
        ]);
        let output = cc
            .arg(toolkit().join("include"))
            .arg(source)
            .output()
            .unwrap();
        let words = String::from_utf8_lossy(&output.stderr).into_owned();
        (output.status.success(), words)
    };
    for header in [
        "acl/acl_platform.h",
        "acl/acl_tdt.h",
        "acl/acl_tdt_queue.h",
        "acl/ops/acl_cblas.h",
    ] {
        let (builds, words) = check("empty_header.c", header, "");
        assert!(builds, "{words}");
        let says = format!("the emulator models nothing of {header}");
        assert!(words.contains(&says), "{words}");
    }
    let (builds, words) = check("unknown.c", "acl/acl_tdt.h", "acltdtCreateChannel(0, 0);");
    assert!(!builds && words.contains("acltdtCreateChannel"), "{words}");
    for (header, uses) in [
        (
            "acl/acl_rt_allocator.h",
            "(void)aclrtAllocatorCreateDesc();",
        ),
        ("acl/acl_rt_memory_soma.h", "(void)aclrtMemPoolDestroy(0);"),
        ("acl/acl_dump.h", "(void)acldumpGetPath;"),
        ("acl/acl_base_mdl.h", "(void)aclSetTensorConst;"),
        ("acl/acl_mdl.h", "(void)aclmdlSetInputAIPP;"),
        ("acl/acl_op_compiler.h", "(void)aclopCompile;"),
        ("acl/acl_prof.h", "(void)aclprofInit;"),
        (
            "acl/acl_dump.h",
            "acldumpChunk *chunk = 0; (void)chunk; (void)ACL_OP_DUMP_OP_AICORE_ARGS;",
        ),
        ("acl/acl_mdl.h", "(void)ACL_DYNAMIC_TENSOR_NAME;"),
        (
            "acl/dvpp/hi_dvpp.h",
            "hi_s64 wide = ALIGN_UP(33, DEFAULT_ALIGN) + HI_NULL; (void)wide;\
             (void)hi_vdec_get_tmv_buf_size(HI_PT_H264, 64, 64);",
        ),
        ("aclnnop/aclnn_sum.h", "(void)aclnnSum;"),
        (
            "aclnnop/aclnn_bitwise_and_tensor.h",
            "(void)aclnnBitwiseAndTensorOut;",
        ),
        ("aclnnop/aclnn_layer_norm.h", "(void)aclnnFastLayerNorm;"),
        (
            "aclnnop/aclnn_logsigmoid.h",
            "(void)aclnnLogSigmoidForward;",
        ),
        (
            "aclnnop/aclnn_grouped_matmul_v3.h",
            "(void)aclnnGroupedMatmulV3;",
        ),
        (
            "aclnn/opdev/op_errno.h",
            "aclnnStatus ok = ACLNN_SUCCESS; (void)ok;",
        ),
    ] {
        let (builds, words) = check("header.c", header, uses);
        assert!(builds && words.is_empty(), "{header}: {words}");
    }
}

#[test]
fn copies_of_libc_sec_fail_where_the_room_is_too_small() {
    if other_libraries().is_some() {
        return;
    }
    let source = Path::new(env!("CARGO_TARGET_TMPDIR")).join("securec.c");
    let text = "#include \"securec.h\"\nint main(void) {\n\
                char to[3];\n\
                if (strcpy_s(to, sizeof to, \"ab\") != EOK || strcmp(to, \"ab\") != 0) return 1;\n\
                if (strcpy_s(to, sizeof to, \"abc\") == EOK || to[0] != 0) return 2;\n\
                if (memcpy_s(to, sizeof to, \"xyz\", 3) != EOK || to[2] != 'z') return 3;\n\
                if (memcpy_s(to, sizeof to, \"wxyz\", 4) == EOK || to[2] != 0) return 4;\n\
                if (memset_s(to, sizeof to, 7, 3) != EOK || to[2] != 7) return 5;\n\
                return memset_s(to, sizeof to, 0, 4) == EOK || to[2] != 0;\n}\n";
    fs::write(&source, text).unwrap();
    let output = run(&compile(&source, &["-std=c99"]), &[]);
    assert!(output.status.success(), "{output:?}");
}

#[test]
fn numbers_of_half_precision_convert_in_cpp() {
    if other_libraries().is_some() {
        return;
    }
    let source = Path::new(env!("CARGO_TARGET_TMPDIR")).join("fp16_t.cpp");
    let text = "#include \"aclnn/opdev/fp16_t.h\"\nint main() {\n\
                op::fp16_t some[2] = {1.5f, 0};\n\
                some[1] = some[0] * 2;\n\
                return !(sizeof some == 4 && some[0].val == 0x3e00 && some[1] == 3.0f);\n}\n";
    fs::write(&source, text).unwrap();
    let output = run(&compile(&source, &[]), &[]);
    assert!(output.status.success(), "{output:?}");
}

#[test]
fn the_toolkit_has_a_version() {
    if other_libraries().is_some() {
        return;
    }
    let text = fs::read_to_string(toolkit().join("version.cfg")).unwrap();
    assert!(
        text.contains("runtime_running_version=[9.0.0:9.0.0]"),
        "{text}"
    );
    let source = Path::new(env!("CARGO_TARGET_TMPDIR")).join("version.c");
    let text = "#include \"acl/acl.h\"\n#include <string.h>\nint main(void) {\n\
                char name[] = \"runtime\", version[ACL_PKG_VERSION_MAX_SIZE];\n\
                if (aclsysGetVersionStr(name, version) != 0) return 1;\n\
                return strcmp(version, \"9.0.0\");\n}\n";
    fs::write(&source, text).unwrap();
    let program = compile(&source, &["-std=c99"]);
    let home = toolkit().to_str().unwrap();
    let output = run(&program, &[("ASCEND_HOME_PATH", home)]);
    assert!(output.status.success(), "{output:?}");
}
