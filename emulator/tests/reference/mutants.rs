//! Cases with one argument changed: the answer is a status code or a result, and no panic, no abort and no endless loop. The seed
//! is fixed, so each run has the same mutants. The file `mutant.txt` of the folder for temporary files has the latest one.

use std::fs;
use std::path::Path;
use std::ptr;

use super::arguments::{Arguments, Listed, OPERATORS};
use super::common::{malloc, start};
use super::lines;
use super::text::Line;

/// How many mutants there are for each operator.
const EACH: u64 = 4;

/// Numbers that are wrong for most parameters.
const WHOLE: &[&str] = &[
    "0",
    "-1",
    "1",
    "7",
    "9223372036854775807",
    "-9223372036854775808",
    "4294967296",
];
const FEW: &[&str] = &["0", "-1", "1", "7", "127", "-128"];
const REAL: &[&str] = &["0", "-1", "nan", "inf", "-inf", "1e300", "1e-300"];
const TEXTS: &[&str] = &["\"\"", "\"none\"", "\"BSH\"", "\"x\""];
const FLOATING: &[&str] = &["f32", "f16", "bf16", "f64"];
const INTEGERS: &[&str] = &["s8", "s16", "s32", "s64", "u8", "bool"];

/// A generator of numbers (xorshift).
struct Random(u64);

impl Random {
    fn below(&mut self, count: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        // CAST: a remainder below a count.
        (self.0 % count as u64) as usize
    }

    fn one<'a>(&mut self, of: &[&'a str]) -> &'a str {
        of[self.below(of.len())]
    }
}

/// Returns an argument with one part of it changed; `None` stands for null.
fn mutant(random: &mut Random, kind: &str, value: &str) -> Option<String> {
    let is_optional = kind.starts_with("optional");
    if is_optional && random.below(4) == 0 {
        return None;
    }
    Some(match kind {
        "i64" | "u64" if value.parse::<i64>().is_ok() => match (kind, random.one(WHOLE)) {
            ("u64", number) => number.trim_start_matches('-').to_owned(),
            (_, number) => number.to_owned(),
        },
        "i8" | "i32" | "c_int" => random.one(FEW).to_owned(),
        "f32" | "f64" => random.one(REAL).to_owned(),
        "bool" => (value != "true").to_string(),
        "text" | "mut_text" => random.one(TEXTS).to_owned(),
        "aclDataType" => random.one(&[FLOATING, INTEGERS].concat()).to_owned(),
        _ if kind.ends_with("int_array") => {
            let mut numbers: Vec<_> = value.trim_matches(['[', ']']).split(',').collect();
            let place = random.below(numbers.len());
            numbers[place] = random.one(WHOLE);
            if random.below(4) == 0 {
                numbers.remove(place);
            }
            format!("[{}]", numbers.join(","))
        }
        _ if kind.ends_with("tensor") => changed_tensor(random, value),
        _ => value.to_owned(),
    })
}

/// Returns a tensor with another size of a dimension, another number of dimensions, or another data type of the same kind.
fn changed_tensor(random: &mut Random, value: &str) -> String {
    let (Some(first), Some(end)) = (value.find('['), value.find(']')) else {
        return value.to_owned();
    };
    let (word, sign) = match value[..first].strip_prefix('>') {
        Some(word) => (word, ">"),
        None => (&value[..first], ""),
    };
    let mut sizes: Vec<_> = value[first + 1..end]
        .split(',')
        .map(str::to_owned)
        .collect();
    let place = random.below(sizes.len());
    let mut word = word;
    match random.below(8) {
        0 => drop(sizes.remove(place)),
        1 => sizes.insert(place, "1".to_owned()),
        2 => sizes[place] = "0".to_owned(),
        3 => sizes[place] = "1048576".to_owned(),
        4 | 5 if FLOATING.contains(&word) => word = random.one(FLOATING),
        4 | 5 if INTEGERS.contains(&word) => word = random.one(INTEGERS),
        _ => {
            let size = sizes[place].parse::<i64>().unwrap_or(0);
            sizes[place] = (size + 1).to_string();
        }
    }
    // Strides are for the dimensions from before.
    let rest = value[end..]
        .split_once(':')
        .map_or("", |(_, values)| values);
    format!("{sign}{word}[{}]:{rest}", sizes.join(","))
}

/// Runs both phases of a mutant.
fn run(line: &Line<'_>) {
    let arguments = Arguments::new(line);
    let operator = Listed::find(line.operator);
    let (mut size, mut executor) = (0, ptr::null_mut());
    let code = operator.prepare(&arguments, &mut size, &mut executor);
    assert!(
        matches!(code, 0 | 161_001 | 161_002 | 561_000..=561_119),
        "{code}"
    );
    if code != 0 {
        return;
    }
    let workspace = match usize::try_from(size) {
        Ok(1..=0x100_0000) => malloc(usize::try_from(size).unwrap()),
        _ => ptr::null_mut(),
    };
    // A workspace that is too large for the test is refused, and so is memory that does not have the elements.
    let stream = ptr::null_mut();
    if operator.launch(workspace, size, executor, stream) == 0 {
        let _ = call!(stream.aclrtSynchronizeStream(stream));
    }
    if !workspace.is_null() {
        check!(memory.aclrtFree(workspace));
    }
}

#[test]
fn a_changed_argument_has_an_answer() {
    let _serial = start();
    let lines = lines();
    let file = Path::new(env!("CARGO_TARGET_TMPDIR")).join("mutant.txt");
    let mut random = Random(0x9e37_79b9_7f4a_7c15);
    for operator in OPERATORS {
        let own: Vec<_> = lines
            .iter()
            .map(|(_, text)| text)
            .filter(|text| text.split(' ').next() == Some(operator.name))
            .collect();
        for _ in 0..EACH {
            let text = own[random.below(own.len())];
            let mut line = Line::new(text);
            let place = random.below(line.arguments.len().max(1));
            let Some((name, value)) = line.arguments.get(place).copied() else {
                continue;
            };
            let named = |kind: &&(&str, &str)| kind.0.trim_end_matches('_') == name;
            let kind = operator.kinds.iter().find(named).map_or("", |kind| kind.1);
            let changed = mutant(&mut random, kind, value);
            fs::write(&file, format!("{name} is {changed:?} in {text}")).unwrap();
            match &changed {
                Some(changed) => line.arguments[place].1 = changed,
                None => {
                    line.arguments.remove(place);
                    line.has_nulls = true;
                }
            }
            run(&line);
        }
    }
}
