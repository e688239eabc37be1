//! The node cases of the Python package `onnx`, which `cases/export.py` writes.
//!
//!     ASCENDCL_ONNX_CASES=FOLDER cargo test --release --package ascendcl-emulator-onnx --test cases -- --nocapture
//!
//! prints how many of FOLDER are right, refused when they are loaded, refused when they run, and different: the worst
//! first. `cases/speed.py` times models beside onnxruntime. `cases/refused.txt` names those that are refused, with the reasons. `cases/selected.pb` has two small cases of
//! each operator, which run always.

#![allow(
    clippy::unwrap_used,
    clippy::indexing_slicing,
    clippy::panic,
    clippy::print_stdout,
    reason = "a test fails by panicking, and the command prints"
)]

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::Path;
use std::time::Instant;

use ascendcl_emulator::model::{Array, Output};
use ascendcl_sys::*;

/// A tensor of a case.
struct Tensor {
    shape: Vec<usize>,
    kind: u64,
    bytes: Vec<u8>,
}

/// Takes a number of variable length from the front.
fn number(rest: &mut &[u8]) -> u64 {
    let mut value = 0;
    for shift in (0..64).step_by(7) {
        let byte = rest[0];
        *rest = &rest[1..];
        value |= u64::from(byte & 0x7f) << shift;
        if byte < 0x80 {
            break;
        }
    }
    value
}

/// Reads a message `TensorProto`, whose elements are bytes or a list of numbers.
fn tensor(file: &[u8]) -> Tensor {
    let mut found = Tensor {
        shape: Vec::new(),
        kind: 0,
        bytes: Vec::new(),
    };
    let mut rest = file;
    let mut numbers = Vec::new();
    while !rest.is_empty() {
        let key = number(&mut rest);
        match (key >> 3, key & 7) {
            (1, 0) => found.shape.push(number(&mut rest) as usize),
            (2, 0) => found.kind = number(&mut rest),
            (_, 0) => numbers.push(number(&mut rest)),
            (field, 2) => {
                let len = number(&mut rest) as usize;
                let mut content = &rest[..len];
                rest = &rest[len..];
                match field {
                    1 => {
                        while !content.is_empty() {
                            found.shape.push(number(&mut content) as usize);
                        }
                    }
                    4 | 9 | 10 => found.bytes = content.to_vec(),
                    5 | 7 | 11 => {
                        while !content.is_empty() {
                            numbers.push(number(&mut content));
                        }
                    }
                    _ => {}
                }
            }
            (_, kind) => panic!("a field of kind {kind}"),
        }
    }
    let width = match found.kind {
        7 | 13 => 8,
        1 | 6 | 12 => 4,
        4 | 5 | 10 | 16 => 2,
        _ => 1,
    };
    for one in numbers {
        found.bytes.extend_from_slice(&one.to_le_bytes()[..width]);
    }
    found
}

/// Returns the numbers of an output, or none for types whose bytes are compared.
fn numbers(data_type: aclDataType, bytes: &[u8]) -> Option<Vec<f64>> {
    let half = |bits: u16, fraction: i32, bias: i32| -> f64 {
        let sign = if bits >> 15 == 1 { -1.0 } else { 1.0 };
        let magnitude = i32::from(bits & 0x7fff);
        let (exponent, part) = (magnitude >> fraction, magnitude & ((1 << fraction) - 1));
        if exponent == 0x7fff >> fraction {
            return if part == 0 {
                sign * f64::INFINITY
            } else {
                f64::NAN
            };
        }
        let hidden = if exponent == 0 { 0 } else { 1 << fraction };
        sign * f64::from(part + hidden) * 2_f64.powi(exponent.max(1) - bias - fraction)
    };
    let twos = || {
        bytes
            .chunks_exact(2)
            .map(|two| u16::from_le_bytes(two.try_into().unwrap()))
    };
    Some(match data_type {
        ACL_FLOAT => bytes
            .chunks_exact(4)
            .map(|four| f32::from_le_bytes(four.try_into().unwrap()).into())
            .collect(),
        ACL_DOUBLE => bytes
            .chunks_exact(8)
            .map(|eight| f64::from_le_bytes(eight.try_into().unwrap()))
            .collect(),
        ACL_FLOAT16 => twos().map(|bits| half(bits, 10, 15)).collect(),
        ACL_BF16 => twos().map(|bits| half(bits, 7, 127)).collect(),
        _ => return None,
    })
}

/// Returns how far an output is from the expected one, 0 for an equal one, in units of what the case allows.
fn distance(data_type: aclDataType, found: &Output, expected: &Tensor, is_network: bool) -> f64 {
    if found.shape != expected.shape {
        return f64::INFINITY;
    }
    let (Some(left), Some(right)) = (
        numbers(data_type, &found.bytes),
        numbers(data_type, &expected.bytes),
    ) else {
        return if found.bytes == expected.bytes {
            0.0
        } else {
            f64::INFINITY
        };
    };
    if left.len() != right.len() {
        return f64::INFINITY;
    }
    // The tolerance of the package, and what the element type has: two units of the last place, and for numbers near 0
    // the rounding of the larger ones that they are sums of.
    let (unit, rounding): (f64, f64) = match data_type {
        ACL_FLOAT16 => (2_f64.powi(-10), 2_f64.powi(-10)),
        ACL_BF16 => (2_f64.powi(-7), 2_f64.powi(-7)),
        _ => (2_f64.powi(-23), 2_f64.powi(-22)),
    };
    // A whole network adds the rounding of its layers, and onnxruntime's own results differ by 2e-7 with its optimisations.
    let (rounding, least) = match is_network {
        true => (32.0 * rounding, 1e-6),
        false => (rounding, 1e-7),
    };
    let most = right
        .iter()
        .filter(|one| one.is_finite())
        .fold(0.0, |most: f64, one| most.max(one.abs()));
    let allowed = |right: f64| least + (2.0 * unit).max(1e-3) * right.abs() + rounding * most;
    let pairs = left.iter().zip(&right).map(|(left, right)| {
        if left == right || left.is_nan() && right.is_nan() {
            0.0
        } else if left.is_finite() && right.is_finite() {
            (left - right).abs() / allowed(*right)
        } else {
            f64::INFINITY
        }
    });
    pairs.fold(0.0, f64::max)
}

/// How a case ended.
enum End {
    Right,
    NotLoaded(String),
    NotRun(String),
    Different(f64, String),
}

/// A case: a model with inputs and expected outputs.
#[derive(Default)]
struct Case {
    name: String,
    model: Vec<u8>,
    inputs: Vec<Tensor>,
    outputs: Vec<Tensor>,
}

impl Case {
    fn run(&self) -> End {
        let network = match ascendcl_emulator_onnx::engine().read(&self.model) {
            Ok(network) => network,
            Err(why) => return End::NotLoaded(why.to_string()),
        };
        let inputs = self.inputs.iter().map(|one| Array {
            shape: &one.shape,
            bytes: &one.bytes,
        });
        let found = match network.run(&inputs.collect::<Vec<_>>()) {
            Ok(found) => found,
            Err(why) => return End::NotRun(why),
        };
        assert_eq!(found.len(), self.outputs.len(), "{}", self.name);
        // Random numbers have a shape, and no values that can be compared.
        let is_random = self.name.contains("test_bernoulli");
        let is_network = self.name.starts_with("model_");
        let ports = network.description().outputs.iter();
        for ((port, found), expected) in ports.zip(&found).zip(&self.outputs) {
            let far = match is_random {
                true if found.shape == expected.shape => 0.0,
                _ => distance(port.data_type, found, expected, is_network),
            };
            if far > 1.0 {
                let shapes = (&port.name, &found.shape, &expected.shape);
                return End::Different(far, format!("output, shape, expected shape: {shapes:?}"));
            }
        }
        End::Right
    }
}

/// Reads the cases of a folder.
fn in_folder(folder: &Path) -> impl Iterator<Item = Case> {
    let all = fs::read_dir(folder).unwrap().map(|one| one.unwrap().path());
    let mut all: Vec<_> = all
        .filter(|path| path.join("model.onnx").exists())
        .collect();
    all.sort();
    all.into_iter().map(|path| case(&path))
}

/// Reads the case in a folder.
fn case(folder: &Path) -> Case {
    let tensors = |side: &str| {
        let files = (0..).map(|at| fs::read(folder.join(format!("{side}_{at}.pb"))));
        files
            .map_while(Result::ok)
            .map(|file| tensor(&file))
            .collect()
    };
    Case {
        name: folder.file_name().unwrap().to_string_lossy().into_owned(),
        model: fs::read(folder.join("model.onnx")).unwrap(),
        inputs: tensors("input"),
        outputs: tensors("output"),
    }
}

/// Reads the cases of a message.
fn packed(mut rest: &[u8]) -> Vec<Case> {
    fn field<'a>(rest: &mut &'a [u8]) -> (u64, &'a [u8]) {
        let (key, len) = (number(rest), number(rest) as usize);
        let content = &rest[..len];
        *rest = &rest[len..];
        (key >> 3, content)
    }
    let mut all = Vec::new();
    while !rest.is_empty() {
        let (_, mut content) = field(&mut rest);
        let mut case = Case::default();
        while !content.is_empty() {
            match field(&mut content) {
                (1, name) => case.name = String::from_utf8(name.to_vec()).unwrap(),
                (2, model) => case.model = model.to_vec(),
                (3, input) => case.inputs.push(tensor(input)),
                (_, output) => case.outputs.push(tensor(output)),
            }
        }
        all.push(case);
    }
    all
}

/// Runs cases, and returns how many are right, and the names and words of the others by the way they ended.
fn report(
    cases: impl Iterator<Item = Case>,
) -> (usize, BTreeMap<&'static str, Vec<(String, String)>>) {
    let (mut right, mut others) = (0, BTreeMap::<_, Vec<_>>::new());
    let mut worst = Vec::new();
    for case in cases {
        let (sort, text) = match case.run() {
            End::Right => {
                right += 1;
                continue;
            }
            End::Different(far, text) => {
                worst.push((
                    far,
                    case.name,
                    format!("{far:.1} times what is allowed; {text}"),
                ));
                continue;
            }
            End::NotLoaded(why) => ("refused at load", why),
            End::NotRun(why) => ("refused at run", why),
        };
        others.entry(sort).or_default().push((case.name, text));
    }
    worst.sort_by(|a, b| b.0.total_cmp(&a.0));
    for (_, name, text) in worst {
        others.entry("different").or_default().push((name, text));
    }
    (right, others)
}

/// Returns the names of the cases that the list says are refused.
fn listed() -> BTreeSet<&'static str> {
    let lines = include_str!("cases/refused.txt").lines();
    lines.map(|line| line.split_once(": ").unwrap().0).collect()
}

#[test]
fn the_cases_of_a_folder_are_right_or_refused_as_listed() {
    let Some(folder) = std::env::var_os("ASCENDCL_ONNX_CASES") else {
        return;
    };
    let (right, others) = report(in_folder(Path::new(&folder)));
    for (sort, cases) in &others {
        println!("{sort}: {}", cases.len());
        for (name, text) in cases {
            println!("    {name}: {text}");
        }
    }
    println!("right: {right}");
    assert!(
        !others.contains_key("different"),
        "some cases are computed wrongly"
    );
    let listed = listed();
    let refused = others.values().flatten().map(|(name, _)| name.as_str());
    // The list has node cases; what is refused of other models is printed.
    let new: Vec<_> = refused
        .filter(|name| !listed.contains(name) && !name.starts_with("model_"))
        .collect();
    assert!(new.is_empty(), "not in cases/refused.txt: {new:?}");
}

/// Prints the times of runs of the case in a folder, for `cases/speed.py`.
#[test]
fn a_case_is_timed() {
    let Some(folder) = std::env::var_os("ASCENDCL_ONNX_TIMES") else {
        return;
    };
    let case = case(Path::new(&folder));
    let network = ascendcl_emulator_onnx::engine().read(&case.model).unwrap();
    let inputs = case.inputs.iter().map(|one| Array {
        shape: &one.shape,
        bytes: &one.bytes,
    });
    let inputs: Vec<_> = inputs.collect();
    // Small networks run often: the shortest run counts.
    let (begin, mut round) = (Instant::now(), 0);
    while round < 10 || begin.elapsed().as_millis() < 200 {
        let (start, before) = (Instant::now(), processor());
        network.run(&inputs).unwrap();
        let (seconds, processor) = (start.elapsed().as_secs_f64(), processor() - before);
        if round > 1 {
            println!("\nseconds {seconds} {processor}");
        }
        round += 1;
    }
}

/// Returns the seconds that all threads of this process have been on a processor.
fn processor() -> f64 {
    let mut time = libc::timespec {
        tv_sec: 0,
        tv_nsec: 0,
    };
    // SAFETY: the call writes to the structure and nowhere else.
    let code = unsafe { libc::clock_gettime(libc::CLOCK_PROCESS_CPUTIME_ID, &raw mut time) };
    assert_eq!(code, 0);
    time.tv_sec as f64 + time.tv_nsec as f64 / 1e9
}

#[test]
fn two_cases_of_each_operator_are_right() {
    let cases = packed(include_bytes!("cases/selected.pb"));
    let count = cases.len();
    let (right, others) = report(cases.into_iter());
    assert!(others.is_empty(), "{others:?}");
    assert!(count > 300 && right == count, "{right} of {count}");
}
