//! A client: it sends one request after the other, and checks the answers.

use std::time::{Duration, Instant};

use ascendcl::worker::Client;

use crate::args::Args;
use crate::worker::Request;

/// What a client has got for its requests.
#[derive(Debug, Default)]
pub(crate) struct Answers {
    /// Those that were right.
    pub(crate) right: u32,
    /// Those that were wrong.
    pub(crate) wrong: u32,
    /// Those that were refused, or whose device has failed.
    pub(crate) refused: u32,
    /// Those that the client has lost its patience with.
    pub(crate) lost: u32,
    /// The longest time from a request to its end.
    pub(crate) longest: Duration,
}

/// Sends requests until the time or the number of the command line is over.
pub(crate) fn run(number: u8, args: &Args, service: &Client<Request, Vec<f32>>) -> Answers {
    let mut answers = Answers::default();
    let start = Instant::now();
    let patience = Duration::from_secs(args.patience);
    let goes_on = |sent: u32| match args.requests {
        Some(requests) => sent < requests,
        None => start.elapsed() < Duration::from_secs(args.seconds),
    };
    let mut sent = 0;
    while goes_on(sent) {
        sent += 1;
        let first = f32::from(number) + sent as f32;
        let numbers: Vec<f32> = (0..256).map(|step| first + step as f32).collect();
        let expected: Vec<f32> = numbers.iter().map(|one| one * 2.0).collect();
        let is_slow = args.faults.is_some() && sent % 100 == 0;
        let since = Instant::now();
        let answer = service.send(Request { numbers, is_slow });
        match answer.wait_within(patience) {
            Ok(Ok(numbers)) if numbers == expected => answers.right += 1,
            Ok(Ok(_)) => answers.wrong += 1,
            Ok(Err(_)) => answers.refused += 1,
            Err(_) => answers.lost += 1,
        }
        answers.longest = answers.longest.max(since.elapsed());
    }
    answers
}
