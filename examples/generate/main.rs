//! A language model that writes text: a transformer of typed operators, on an Ascend NPU or on the emulator.
//!
//! ```text
//! cargo run --release --example generate
//! cargo run --release --example generate -- --prompt "The host" --tokens 60 --seed 7
//! cargo run --release --example generate -- --temperature 0
//! cargo run --release --features graphs --example generate -- --graph
//! ```
//!
//! The model has 870,000 weights and has learned reports of programs on an NPU (`corpus.py` beside this file). The
//! program is safe code: memory that the device still uses is `Queued`, so nobody can read, change or free it too
//! early. Each token is seventy operators of one stream, and one wait of the host. With `--graph` these operators are recorded
//! before, and each token is one launch.

/// Leaves the function with an error of this text.
macro_rules! bail {
    ($($text:tt)*) => { return Err(format!($($text)*).into()) };
}

mod args;
#[cfg(feature = "graphs")]
mod graph;
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
use ascendcl::stream::Main;
use ascendcl::{Acl, HostSide, Thread};
use clap::Parser;

use args::Args;
#[cfg(feature = "graphs")]
use graph::Recorded;
use machine::{D, Machine, Memory, View};
use model::{Loaded, Model};
use sample::{Best, Choice, Random};
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
    let mut stream = current.create_stream()?;
    let mut machine = Machine {
        current,
        stream: &mut stream,
        workspaces: Workspaces::new(),
    };
    let mut loaded = Loaded::new(&mut machine, host, &tensors, shape)?;
    let (tokens, prompt) = match task {
        Task::Write { tokens, prompt } => (tokens, prompt),
        Task::Compare { prompt, logits } => {
            return compare(&mut machine, host, &mut loaded, &prompt, &logits);
        }
    };
    let choice = Choice {
        temperature: args.temperature,
        top_k: args.top_k,
        random: Random(args.seed),
    };
    let best = Best::new(&mut machine, host, choice.count())?;
    #[cfg(feature = "graphs")]
    if args.graph {
        let embedding = tensors.half("embedding", &[shape.vocabulary, shape.width])?;
        let (start, count) = (Instant::now(), prompt.len() + args.tokens - 1);
        let graph = Recorded::new(current, host, &mut stream, loaded, embedding, best, count)?;
        let seconds = start.elapsed().as_secs_f64();
        let _ = writeln!(io::stderr(), "{count} recordings in {seconds:.2} s");
        let writer = graph::Writer {
            graph,
            stream: &mut stream,
            choice,
            position: 0,
        };
        return write(args, &tokens, &prompt, writer);
    }
    let Loaded {
        embedding, memory, ..
    } = &mut loaded;
    let writer = Eager {
        model: model(shape, memory)?,
        embedding,
        machine,
        best,
        choice,
        position: 0,
    };
    write(args, &tokens, &prompt, writer)
}

/// A model over memory that the stream uses.
fn model<'b>(shape: Shape, memory: &'b mut [Memory<'_, f32>]) -> Result<Model<View<'b, Main>>> {
    let views = memory.iter_mut().map(|one| {
        let len = one.len();
        one.slice_mut(0..len)
    });
    let views = views.collect::<Result<Vec<_>, _>>()?;
    Model::over(shape, views).ok_or_else(|| "the model has more memory".into())
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

/// Reads tokens and chooses the next one.
trait Writer: Sized {
    fn next(self, tokens: &[usize]) -> Result<(Self, usize)>;
}

/// Queues operator by operator.
struct Eager<'m, 't, 'd> {
    machine: Machine<'m, 't, 'd>,
    model: Model<View<'m, Main>>,
    embedding: &'m Memory<'d, f32>,
    best: Best<'d>,
    choice: Choice,
    position: usize,
}

impl Writer for Eager<'_, '_, '_> {
    fn next(mut self, tokens: &[usize]) -> Result<(Self, usize)> {
        let (machine, model) = (&mut self.machine, &mut self.model);
        for token in tokens {
            read(machine, model, self.embedding, *token, self.position)?;
            self.position += 1;
        }
        let sides = [model.shape.vocabulary, model.shape.width];
        model.predict(machine, &self.embedding.tensor(&sides)?)?;
        let token = self.best.next(machine, model, &mut self.choice)?;
        Ok((self, token))
    }
}

/// Queues the work for a token.
fn read(
    machine: &mut Machine<'_, '_, '_>,
    model: &mut Model<View<'_, Main>>,
    embedding: &Memory<'_, f32>,
    token: usize,
    position: usize,
) -> Result<()> {
    let width = model.shape.width;
    let embedded = embedding.slice(token * width..(token + 1) * width)?;
    machine
        .stream
        .memcpy_async(&mut model.scratch.x, embedded)?;
    Ok(model.read(machine, position)?)
}

/// Reads the prompt, and then writes token by token.
fn write(args: &Args, tokens: &Tokens, prompt: &[usize], mut writer: impl Writer) -> Result<()> {
    let start = Instant::now();
    if !print(&args.prompt)? {
        return Ok(());
    }
    let mut text = prompt.to_vec();
    for _ in 0..args.tokens {
        let token;
        (writer, token) = writer.next(&text)?;
        if !print(tokens.text(token))? {
            return Ok(());
        }
        text = vec![token];
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
    machine: &mut Machine<'_, '_, 'd>,
    host: HostSide<'d>,
    loaded: &mut Loaded<'d>,
    prompt: &[usize],
    expected: &[f32],
) -> Result<()> {
    let shape = loaded.shape;
    let embedding = &loaded.embedding;
    let mut model = model(shape, &mut loaded.memory)?;
    let mut here = machine.staging(host, shape.vocabulary)?;
    let mut largest = 0.0_f32;
    for (position, (token, expected)) in prompt
        .iter()
        .zip(expected.chunks_exact(shape.vocabulary))
        .enumerate()
    {
        read(machine, &mut model, embedding, *token, position)?;
        let sides = [shape.vocabulary, shape.width];
        model.predict(machine, &embedding.tensor(&sides)?)?;
        machine.stream.memcpy_async(&mut here, &model.logits)?;
        let idle = machine.stream.synchronize()?;
        for (logit, expected) in idle.get_mut(&mut here).iter().zip(expected) {
            let difference = (logit - expected).abs();
            if difference.is_nan() || difference > TOLERANCE {
                bail!(
                    "a logit differs by {difference:.1e} from that of train.py, and {TOLERANCE:.0e} is allowed"
                );
            }
            largest = largest.max(difference);
        }
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
