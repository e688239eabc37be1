//! Ranks of gloo: processes of `gloo.py`.

use std::env;
use std::io::{BufRead, BufReader, Write};
use std::net::TcpListener;
use std::path::Path;
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};

use crate::Result;

/// The Python with PyTorch.
pub const PYTHON: &str = "ASCENDCL_BENCH_PYTHON";

/// A process.
#[derive(Debug)]
struct Rank {
    child: Child,
    orders: ChildStdin,
    answers: BufReader<ChildStdout>,
}

impl Rank {
    fn answer(&mut self) -> Result<String> {
        let mut line = String::new();
        if self.answers.read_line(&mut line)? == 0 {
            return Err("a rank of gloo has ended".into());
        }
        Ok(line.trim_end().to_owned())
    }
}

/// Running ranks. They end with this value.
#[derive(Debug)]
pub struct Group {
    ranks: Vec<Rank>,
    /// The version of PyTorch.
    pub version: String,
}

impl Group {
    /// Starts the ranks, with the Python that the environment names.
    ///
    /// # Errors
    ///
    /// There is no Python with PyTorch.
    pub fn start(size: u32) -> Result<Group> {
        let python = env::var(PYTHON).unwrap_or_else(|_| "python3".into());
        let port = TcpListener::bind(("127.0.0.1", 0))?.local_addr()?.port();
        let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("gloo.py");
        let mut ranks = Vec::new();
        for number in 0..size {
            let mut child = Command::new(&python)
                .arg(&script)
                .env("RANK", number.to_string())
                .env("WORLD_SIZE", size.to_string())
                .env("MASTER_ADDR", "127.0.0.1")
                .env("MASTER_PORT", port.to_string())
                .env("GLOO_SOCKET_IFNAME", "lo")
                .stdin(Stdio::piped())
                .stdout(Stdio::piped())
                .spawn()
                .map_err(|error| format!("{python} does not start: {error}"))?;
            let (Some(orders), Some(answers)) = (child.stdin.take(), child.stdout.take()) else {
                return Err("a rank of gloo has no pipes".into());
            };
            ranks.push(Rank {
                child,
                orders,
                answers: BufReader::new(answers),
            });
        }
        let mut group = Group {
            ranks,
            version: String::new(),
        };
        for rank in &mut group.ranks {
            group.version = rank.answer().map_err(|_| {
                format!("{python} has no PyTorch with gloo; {PYTHON} names another")
            })?;
        }
        Ok(group)
    }

    /// Returns the seconds of the slowest rank for `iterations` sums of `elements` numbers.
    ///
    /// # Errors
    ///
    /// A rank has ended.
    pub fn sum(&mut self, elements: usize, iterations: u32) -> Result<f64> {
        for rank in &mut self.ranks {
            writeln!(rank.orders, "{elements} {iterations}")?;
            rank.orders.flush()?;
        }
        let mut slowest = 0.0_f64;
        for rank in &mut self.ranks {
            slowest = slowest.max(rank.answer()?.parse()?);
        }
        Ok(slowest)
    }
}

impl Drop for Group {
    fn drop(&mut self) {
        for rank in &mut self.ranks {
            // It has nothing to save, and fails only if it has ended.
            let _ = rank.child.kill();
            let _ = rank.child.wait();
        }
    }
}
