//! The programs of the matrix: the binaries of the package `faults`.

/// A program, and the rules that do not hold for it.
#[derive(Debug)]
pub(super) struct Program {
    pub(super) name: &'static str,
    /// The arguments, separated by spaces. `{examples}` is the folder of the examples.
    pub(super) arguments: &'static str,
    /// The number of objects that the program forgets, and leaves to its device.
    pub(super) forgets: u64,
    /// The reason why the program may leave objects behind that nothing counts.
    pub(super) may_leave: Option<&'static str>,
    /// The kind of the findings that a failure causes, with the reason why they are no mistakes of the program.
    pub(super) may_find: Option<(&'static str, &'static str)>,
    /// Whether each wait of the program has a limit, so that it ends although a task hangs. The limits do not depend on time.
    pub(super) has_limits: bool,
    /// The reason why no fault reaches the program, which is then run without one.
    pub(super) without_faults: Option<&'static str>,
}

/// A program for which all rules hold.
const fn program(name: &'static str, arguments: &'static str) -> Program {
    Program {
        name,
        arguments,
        forgets: 0,
        may_leave: None,
        may_find: None,
        has_limits: false,
        without_faults: None,
    }
}

/// A program with several ranks.
const fn ranks(name: &'static str, arguments: &'static str) -> Program {
    Program {
        may_leave: Some(ALONE),
        may_find: Some(LEFT_ALONE),
        ..program(name, arguments)
    }
}

/// The reason of programs with ranks.
const ALONE: &str = "a rank that waits for a failed one waits for ever, so the process ends, and the other ranks release nothing";

/// The finding of programs with ranks.
pub(super) const LEFT_ALONE: (&str, &str) = (
    "rank-missing",
    "a rank that fails destroys its communicator, and the other ones cannot make their operations",
);

pub(super) const PROGRAMS: &[Program] = &[
    program("01_copy", ""),
    program("02_operator", ""),
    program("03_streams", ""),
    program("04_event", ""),
    program("05_devices", ""),
    program("06_lend", ""),
    program("07_error", ""),
    program("08_failure", ""),
    program("09_share", ""),
    Program {
        without_faults: Some("the program sets faults of its own"),
        ..program("10_faults", "")
    },
    program("11_pipeline", ""),
    program("12_worker", ""),
    program("13_label", ""),
    ranks("14_data_parallel", ""),
    program("15_kernel", ""),
    program("16_graph", ""),
    ranks("allreduce", "--ranks 2 --max 4 --iterations 1"),
    program("borrowed", "--numbers 16"),
    program("callback", "--batches 2"),
    program(
        "classify",
        "--quiet --top 1 --model {examples}/classify/digits.onnx {examples}/classify/pictures/one_1760.jpg",
    ),
    program("data_transfer", "--quiet --size 1KiB"),
    program("doctor", "--root nowhere"),
    Program {
        may_leave: Some("on an error, the other library releases nothing"),
        ..program("interop", "")
    },
    program(
        "generate",
        "--model {examples}/../tests/faults/model --prompt A --tokens 1 --top-k 2",
    ),
    program("kernel", ""),
    program("mlp", ""),
    program("model", "{examples}/classify/digits.onnx"),
    program("own_operator", ""),
    program("pipeline", "--turns 3 --numbers 16"),
    program("resources", "--quiet --device 0"),
    Program {
        has_limits: true,
        ..program("service", "--clients 1 --requests 2 --limit 60000")
    },
    program("storable", ""),
    program("synchronization", ""),
    program("threads", "--threads 2 --numbers 16"),
    ranks("train_dp", "--ranks 2 --steps 1"),
    program(
        "vector_add",
        "--a {examples}/data/a.npy --b {examples}/data/b.npy",
    ),
    program("brands", ""),
    program("callbacks", ""),
    program("collectives", ""),
    Program {
        forgets: 1,
        ..program("contexts", "")
    },
    program("copies", ""),
    program("fences", ""),
    program("futures", ""),
    program("graphs", ""),
    Program {
        has_limits: true,
        ..program("limits", "")
    },
    ranks("messages", ""),
    program("operators", ""),
    program("peers", ""),
    program("scopes", ""),
    program("stopping", ""),
];

#[cfg(test)]
mod tests {
    use super::PROGRAMS;
    use crate::error::Error;
    use crate::files::text;
    use crate::process::root;

    /// The manifest of the package `faults` names each program, and each example is one of them.
    #[test]
    fn each_program_and_each_example_is_listed() -> Result<(), Error> {
        let text = text("tests/faults/Cargo.toml")?;
        let bins = text.split("[[bin]]").skip(1);
        let names: Vec<_> = bins.filter_map(|bin| bin.split('"').nth(1)).collect();
        let listed: Vec<_> = PROGRAMS.iter().map(|program| program.name).collect();
        assert_eq!(names, listed);
        for folder in ["examples", "tests/faults/programs"] {
            for entry in std::fs::read_dir(root().join(folder))
                .into_iter()
                .flatten()
                .flatten()
            {
                let path = entry.path();
                let is_rust = path.extension().is_some_and(|end| end == "rs");
                let name = path.file_stem().and_then(|name| name.to_str());
                let is_listed = listed.contains(&name.unwrap_or_default());
                let is_program = is_rust || path.join("main.rs").exists();
                assert!(!is_program || is_listed, "{} is in no list", path.display());
            }
        }
        Ok(())
    }
}
