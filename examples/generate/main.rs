//! A language model that writes text: a transformer of typed operators, on an Ascend NPU or on the emulator.
//!
//! ```text
//! cargo run --release --example generate
//! cargo run --release --example generate -- --prompt "The event" --tokens 60 --seed 7
//! cargo run --release --example generate -- --temperature 0
//! ```
//!
//! The model has 935,000 weights and has learned the documentation of this project (`train.py` beside this file). The
//! program is safe code: memory that the device still uses is `Queued`, so nobody can read, change or free it too
//! early. Each token is seventy operators of one stream, and one wait of the host.

/// Leaves the function with an error of this text.
macro_rules! bail {
    ($($text:tt)*) => { return Err(format!($($text)*).into()) };
}

mod args;
mod layer;
#[path = "../common/log.rs"]
#[expect(dead_code, reason = "other examples log more")]
mod log;
mod machine;
mod model;
mod sample;
mod tokens;
mod weights;

use std::error::Error;
use std::io::{self, ErrorKind, Write};
use std::process::ExitCode;
use std::time::Instant;

use ascendcl::op::Workspaces;
use ascendcl::{Acl, Thread};
use clap::Parser;

use args::Args;
use machine::{D, Machine};
use model::Model;
use sample::{Choice, Random, Sampler};
use tokens::Tokens;
use weights::{File, Shape};

/// Every failure ends as one line on the screen, so a text with its context is all that is needed.
type Result<T, E = Box<dyn Error + Send + Sync>> = std::result::Result<T, E>;

/// The largest difference between a logit here and the same one of `train.py`.
const TOLERANCE: f32 = 1e-3;

fn main() -> ExitCode {
    match run(&Args::parse()) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            log::complain(&*error);
            ExitCode::FAILURE
        }
    }
}

/// What the device is to do.
enum Task {
    /// Write text behind a prompt.
    Write { tokens: Tokens, prompt: Vec<usize> },
    /// Compare the logits behind each token of a prompt.
    Compare {
        prompt: Vec<usize>,
        logits: Vec<f32>,
    },
}

fn run(args: &Args) -> Result<()> {
    // All checks of the input come before the first use of a device.
    let file = File::read(args.file("weights.safetensors"))?;
    let (shape, tensors) = (file.shape()?, file.tensors()?);
    let task = if args.check {
        let file = File::read(args.file("expected.safetensors"))?;
        let (prompt, logits) = file.tensors()?.expected(shape.vocabulary)?;
        Task::Compare { prompt, logits }
    } else {
        let tokens = tensors.tokens(shape.vocabulary)?;
        let prompt = tokens.encode(&format!("\n{}", args.prompt))?;
        check(args, shape, prompt.len())?;
        Task::Write { tokens, prompt }
    };

    let acl = Acl::from_env()?;
    let host = acl.host()?;
    let mut thread = Thread::claim()?;
    let device = acl.set_device::<D>(&mut thread, args.device)?;
    let current = thread.set_current(&device)?;
    let mut machine = Machine {
        host,
        current,
        stream: current.create_stream()?,
        workspaces: Workspaces::new(),
    };
    let mut model = Model::new(&mut machine, &tensors, shape)?;
    match task {
        Task::Write { tokens, prompt } => write(args, &mut machine, &mut model, &tokens, &prompt),
        Task::Compare { prompt, logits } => compare(&mut machine, &mut model, &prompt, &logits),
    }
}

/// Whether the text fits, and there are as many tokens to choose from.
fn check(args: &Args, shape: Shape, prompt: usize) -> Result<()> {
    let Shape {
        context,
        vocabulary,
        ..
    } = shape;
    let room = context.saturating_sub(prompt);
    if args.tokens > room {
        bail!(
            "a text of this model has at most {context} tokens: the prompt has {prompt}, so --tokens can be at most {room}"
        );
    }
    if args.top_k > vocabulary {
        bail!("the model has {vocabulary} tokens: --top-k can be at most that");
    }
    Ok(())
}

/// Reads the prompt, and then writes token by token.
fn write<'d>(
    args: &Args,
    machine: &mut Machine<'_, 'd>,
    model: &mut Model<'d>,
    tokens: &Tokens,
    prompt: &[usize],
) -> Result<()> {
    let choice = Choice {
        temperature: args.temperature,
        top_k: args.top_k,
        random: Random(args.seed),
    };
    let mut sampler = Sampler::new(machine, choice)?;
    let start = Instant::now();
    if !print(&args.prompt)? {
        return Ok(());
    }
    let (mut text, mut position) = (prompt.to_vec(), 0);
    for _ in 0..args.tokens {
        for token in text.drain(..) {
            model.read(machine, token, position)?;
            position += 1;
        }
        model.predict(machine)?;
        let token;
        (sampler, token) = sampler.next(machine, model)?;
        if !print(tokens.text(token))? {
            return Ok(());
        }
        text.push(token);
    }
    print("\n")?;
    let (seconds, count) = (start.elapsed().as_secs_f64(), prompt.len() + args.tokens);
    // CAST: a few hundred at most.
    let rate = count as f64 / seconds;
    // If stderr is closed, nobody wants to know.
    let _ = writeln!(
        io::stderr(),
        "{count} tokens in {seconds:.2} s: {rate:.0} tokens per second"
    );
    Ok(())
}

/// Compares the logits behind each token of the prompt.
fn compare<'d>(
    machine: &mut Machine<'_, 'd>,
    model: &mut Model<'d>,
    prompt: &[usize],
    expected: &[f32],
) -> Result<()> {
    let vocabulary = model.shape.vocabulary;
    let mut here = machine.staging(vocabulary)?;
    let mut largest = 0.0_f32;
    for (position, (token, expected)) in prompt
        .iter()
        .zip(expected.chunks_exact(vocabulary))
        .enumerate()
    {
        model.read(machine, *token, position)?;
        model.predict(machine)?;
        machine.stream.memcpy_async(&mut here, &model.logits)?;
        let logits = machine.stream.synchronize()?.take(here);
        for (logit, expected) in logits.iter().zip(expected) {
            let difference = (logit - expected).abs();
            if difference.is_nan() || difference > TOLERANCE {
                bail!(
                    "a logit differs by {difference:.1e} from that of train.py, and {TOLERANCE:.0e} is allowed"
                );
            }
            largest = largest.max(difference);
        }
        here = machine.stream.adopt(logits);
    }
    log::say(&format!(
        "{} logits differ by at most {largest:.1e}",
        expected.len()
    ))
}

/// Prints a part of the text at once. Returns false if nobody reads it any more (`| head`), which is no failure.
fn print(text: &str) -> Result<bool> {
    let mut out = io::stdout();
    match out.write_all(text.as_bytes()).and_then(|()| out.flush()) {
        Ok(()) => Ok(true),
        Err(error) if error.kind() == ErrorKind::BrokenPipe => Ok(false),
        Err(error) => bail!("cannot print to stdout: {error}"),
    }
}
