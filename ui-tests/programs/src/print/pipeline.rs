//! Steps with pipelines as Rust.

use super::{LENGTH, Printer};
use crate::program::{Middle, Name, Op};

impl Printer {
    /// A step with a pipeline, a binding and a result.
    pub(super) fn pipeline(&mut self, op: Op, [a, b, x]: [Name; 3]) -> String {
        let computed = |middle: Middle| match middle {
            Middle::Copy => "batch.stream.memcpy_async(batch.output, batch.input)".to_owned(),
            Middle::Fill => "batch.stream.memset_async(batch.output, 7)".to_owned(),
            Middle::Add => {
                let output = format!("batch.output.into_tensor(&[{LENGTH}])?");
                let input = format!("batch.input.tensor(&[{LENGTH}])?");
                let plan = format!("op::add({b}, &{input}, &{input}, 1, {output})?");
                format!("Ok({plan}.launch(batch.stream)?.into_output())")
            }
            Middle::Carry => {
                let out = "let output = batch.stream.memcpy_async(batch.output, &*batch.value)?";
                let into = "batch.stream.memcpy_async(&mut *batch.value, batch.input)?";
                format!("{{ {out}; {into}; Ok(output) }}")
            }
            Middle::Error => "Err(stopped())".to_owned(),
            Middle::Short => {
                let half = LENGTH / 2;
                format!(
                    "{{ let short = batch.stream.malloc::<i32>({half})?; batch.stream.memset_async(short, 7) }}"
                )
            }
            Middle::Keep => "{ kept = Some(batch.output); Err(stopped()) }".to_owned(),
        };
        let fill = |number: u8| format!("|input: &mut [i32]| input.fill({number})");
        let mut known = || {
            let Some(found) = self.returned.next().flatten() else {
                return "None".to_owned();
            };
            let one = |(number, result)| format!("({number}, Batched::{result:?})");
            let all: Vec<String> = found.into_iter().map(one).collect();
            format!("Some(&[{}])", all.join(", "))
        };
        match op {
            Op::Pipeline { lanes, carries } => {
                let (types, name, make) = match carries {
                    true => {
                        let filled = format!("{a}.memset({a}.malloc::<i32>({LENGTH})?, 7)");
                        (", _", "with_values", format!(", move || {filled}"))
                    }
                    false => ("", "new", String::new()),
                };
                let of = format!("{a}, host, {lanes}, [{LENGTH}; 2]{make}");
                format!("let mut {x} = Pipeline::<_, i32, i32{types}>::{name}({of})?;")
            }
            Op::Push { middle, number } => {
                if middle == Middle::Keep {
                    self.line("let mut kept = None;");
                }
                let (fill, compute) = (fill(number), computed(middle));
                format!("let mut {x} = {a}.push({fill}, |batch| {compute});")
            }
            Op::PushPanics => {
                let push = format!("{a}.push({}, |_| panic!(\"a panic of the step\"))", fill(0));
                format!("panics(|| drop({push}))?;")
            }
            Op::Pop => format!("let mut {x} = {a}.pop();"),
            Op::RunBatches {
                middle,
                number,
                batches,
                stops,
            } => {
                let found = known();
                let take = format!("|number, output| take(number, output, {found}, {stops})");
                let fill = "|number, input: &mut [i32]| input.fill(number)";
                let end = u32::from(number) + u32::from(batches);
                let items = format!("{number}..{end}");
                let compute = computed(middle);
                let run = format!("{a}.run({items}, {fill}, |batch| {compute}, {take})");
                // What it returns is the error of `take`.
                format!("let _ = {run};")
            }
            _ => format!("compare({a}, {});", known()),
        }
    }
}
