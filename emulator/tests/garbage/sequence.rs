//! A child process: sequences of calls, and the checks behind each of them.

use std::collections::BTreeSet;
use std::fs::File;
use std::io::{Seek, Write};
use std::sync::atomic::{AtomicBool, AtomicU64, AtomicUsize, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use ascendcl_emulator::{
    Check, EmulatorConfig, Fault, Live, Peers, Schedule, configure, live, take_findings,
    take_violations,
};
use ascendcl_sys as sys;

use crate::arena::Arena;
use crate::draw::{Class, Hand};
use crate::list::{Argument, Function, Shape, functions, void};
use crate::parent::{FAULT, WAITS_FOR_EVER};
use crate::pools::{Pools, remember};
use crate::random::Random;

/// The number of sequences of a seed, and of calls of a sequence.
const SEQUENCES: usize = 24;
const CALLS: usize = 80;

/// The devices of the emulator.
const DEVICES: u32 = 2;

/// Calls that may wait for something that never happens: a signal, a value, an event, a function of the program, a
/// condition. A card waits for ever too.
const WAITS: [&str; 11] = [
    "aclrtWaitAndResetNotify",
    "aclrtCntNotifyWaitWithTimeout",
    "aclrtValueWait",
    "aclrtStreamWaitEvent",
    "aclrtLaunchCallback",
    "aclrtLaunchHostFunc",
    "aclrtSubscribe",
    "aclmdlRIAddCondTask",
    "aclrtSwitch",
    "aclmdlRIExecute",
    "aclrtProcess",
];

/// Functions that dereference an address inside a value: there is no wrong value that C could refuse.
const NESTED: [&str; 1] = ["aclmdlSetConfigOpt"];

/// How long a call may take. The machine may be busy, so this is long.
const PATIENCE: Duration = Duration::from_secs(30);

/// How long a call may take if a wait has no end.
const SHORT_PATIENCE: Duration = Duration::from_millis(1500);

/// The calls that begin most sequences, so that there is something to work with.
const BEGIN: [&str; 8] = [
    "aclInit",
    "aclrtSetDevice",
    "aclrtCreateStream",
    "aclrtCreateStream",
    "aclrtMalloc",
    "aclrtMallocHost",
    "aclrtCreateEventWithFlag",
    "aclrtMalloc",
];

/// What the watcher knows about the running calls: when each thread began one, in milliseconds, or 0.
struct Watched {
    began: [AtomicU64; 2],
    call: [AtomicUsize; 2],
    may_wait: AtomicBool,
}

static WATCHED: Watched = Watched {
    began: [const { AtomicU64::new(0) }; 2],
    call: [const { AtomicUsize::new(0) }; 2],
    may_wait: AtomicBool::new(false),
};

struct Child {
    functions: Vec<Function>,
    /// The functions that the emulator has, by their index.
    present: Vec<usize>,
    opaque: Vec<&'static str>,
    pools: Mutex<Pools>,
    /// The calls of this sequence, for a person who looks for the reason of a crash.
    log: Mutex<File>,
    reached: Mutex<BTreeSet<(&'static str, i32)>>,
    calls: AtomicUsize,
    start: Instant,
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Runs the sequences of a seed, and ends the process.
pub(crate) fn child(seed: u64) -> ! {
    let mut random = Random::new(seed);
    configure(settings(seed, &mut random)).unwrap();
    register_kernels();
    let functions = functions();
    let missing: BTreeSet<&str> = ascendcl_emulator::api().missing().collect();
    let present = (0..functions.len()).filter(|index| {
        functions.get(*index).is_some_and(|function| {
            !missing.contains(function.name) && !NESTED.contains(&function.name)
        })
    });
    let opaque = functions
        .iter()
        .flat_map(|function| &function.arguments)
        .filter_map(|argument| match argument.shape {
            Shape::Pointer(0, name) if name != void() => name.rsplit("::").next(),
            _ => None,
        });
    let child: &'static Child = Box::leak(Box::new(Child {
        present: present.collect(),
        opaque: opaque.collect::<BTreeSet<_>>().into_iter().collect(),
        pools: Mutex::default(),
        log: Mutex::new(File::create(std::env::var(crate::parent::LOG).unwrap()).unwrap()),
        reached: Mutex::default(),
        calls: AtomicUsize::new(0),
        start: Instant::now(),
        functions,
    }));
    // Most seeds have no wait that may last for ever, so that each call has to return.
    WATCHED.may_wait.store(seed % 5 == 4, Ordering::SeqCst);
    std::thread::spawn(|| child.watch());
    let threads = if seed % 4 == 3 { 2 } else { 1 };
    let mut hands: Vec<Hand> = (0..threads)
        .map(|thread| Hand {
            random: Random::new(random.next()),
            arena: Arena::new(thread),
            opaque: child.opaque.clone(),
            is_alone: threads == 1,
        })
        .collect();
    for number in 0..SEQUENCES {
        child.begin(seed, number);
        std::thread::scope(|scope| {
            for (thread, hand) in hands.iter_mut().enumerate() {
                // A new thread for each sequence, because bindings and modes belong to threads.
                scope.spawn(move || child.sequence(thread, hand));
            }
        });
        let Some(hand) = hands.first_mut() else { break };
        std::thread::scope(|scope| scope.spawn(|| child.release(hand)).join()).unwrap();
    }
    println!("\ncalls {}", child.calls.load(Ordering::Relaxed));
    for (name, code) in lock(&child.reached).iter() {
        println!("reached {name} {code}");
    }
    child.leave(0)
}

/// Registers kernels under names that `draw.rs` draws, so that any bytes are a binary.
fn register_kernels() {
    use ascendcl_emulator::kernel::{ViewMut, register};
    register(ascendcl_emulator::kernel!(name() | block | block.sync()));
    register(ascendcl_emulator::kernel!(CANN(x: u32, y: u32) |block| {
        let _ = (block, x, y);
    }));
    register(
        ascendcl_emulator::kernel!(runtime(x: ViewMut<u32>) |block| {
            x.set(block.index(), x.get(1));
        }),
    );
}

/// The emulator of a seed.
fn settings(seed: u64, random: &mut Random) -> EmulatorConfig {
    let schedule = match random.below(3) {
        0 => Schedule::Eager,
        1 => Schedule::Lazy,
        _ => Schedule::Seeded(seed),
    };
    let peers = random.pick(&[Peers::Open, Peers::Checked, Peers::None]);
    let check = random.pick(&[Check::Off, Check::Off, Check::Collect]);
    let config = EmulatorConfig::default()
        .with_devices(DEVICES)
        .with_memory(64 << 20)
        .with_host_memory(64 << 20)
        .with_streams(64)
        .with_schedule(schedule)
        .with_peers(peers)
        .with_check(check)
        // A rank that is alone waits for others that never come.
        .with_rank_timeout(Duration::from_millis(10))
        .with_fault_seed(seed);
    if random.chance(75) {
        return config;
    }
    config
        .with_fault(Fault::new("*", sys::ACL_ERROR_RT_PARAM_INVALID).per_million(20_000))
        .with_fault(
            Fault::new("aclrtMemsetAsync", 507_001)
                .per_million(200_000)
                .in_task(),
        )
}

impl Child {
    fn leave(&self, code: i32) -> ! {
        let _ = std::io::stdout().flush();
        // SAFETY: takes a number. The destructors of the process are not what is tested.
        unsafe { libc::_exit(code) }
    }

    /// Ends the process when a call does not return.
    fn watch(&self) {
        loop {
            std::thread::sleep(Duration::from_millis(100));
            let may_wait = WATCHED.may_wait.load(Ordering::SeqCst);
            let patience = if may_wait { SHORT_PATIENCE } else { PATIENCE };
            for (began, call) in WATCHED.began.iter().zip(&WATCHED.call) {
                let began = began.load(Ordering::SeqCst);
                if began == 0 || self.now() < began + patience.as_millis() as u64 {
                    continue;
                }
                let name = self
                    .functions
                    .get(call.load(Ordering::SeqCst))
                    .map_or("", |call| call.name);
                if may_wait {
                    println!("\ncalls {}", self.calls.load(Ordering::Relaxed));
                    self.leave(WAITS_FOR_EVER);
                }
                eprintln!("{name} does not return");
                self.leave(1);
            }
        }
    }

    fn now(&self) -> u64 {
        self.start.elapsed().as_millis() as u64 + 1
    }

    fn begin(&self, seed: u64, number: usize) {
        *lock(&self.pools) = Pools::default();
        let mut log = lock(&self.log);
        log.set_len(0).unwrap();
        log.rewind().unwrap();
        writeln!(log, "seed {seed}, sequence {number}").unwrap();
        if number == 3 && std::env::var(FAULT).is_ok() {
            self.misbehave();
        }
    }

    /// Does what a child must not do, for the test of the parent.
    fn misbehave(&self) {
        match std::env::var(FAULT).unwrap().as_str() {
            "crash" => std::process::abort(),
            "hang" => {
                eprintln!("a call does not return");
                self.leave(1);
            }
            "status" => self.judge("aclrtFree", 12345),
            "leak" => self.judge_left(Live::default(), 1),
            other => panic!("{other}"),
        }
    }

    /// Calls functions: some from a small choice, so that sequences differ in what they are about.
    fn sequence(&self, thread: usize, hand: &mut Hand) {
        let may_wait = WATCHED.may_wait.load(Ordering::SeqCst);
        let allowed: Vec<usize> = self
            .present
            .iter()
            .copied()
            .filter(|index| may_wait || !self.waits(*index))
            .collect();
        let choice: Vec<usize> = (0..24).map(|_| hand.random.pick(&allowed)).collect();
        if hand.random.chance(90) {
            for name in BEGIN {
                if let Some(index) = self
                    .functions
                    .iter()
                    .position(|function| function.name == name)
                {
                    self.call(thread, hand, index);
                }
            }
        }
        for _ in 0..CALLS {
            let index = match hand.random.below(20) {
                0 => hand.random.below(self.functions.len()),
                1..4 => hand.random.pick(&allowed),
                _ => hand.random.pick(&choice),
            };
            if may_wait || !self.waits(index) {
                self.call(thread, hand, index);
            }
        }
    }

    fn waits(&self, index: usize) -> bool {
        self.functions
            .get(index)
            .is_some_and(|function| WAITS.iter().any(|name| function.name.starts_with(name)))
    }

    fn call(&self, thread: usize, hand: &mut Hand, index: usize) {
        let function = self.functions.get(index).unwrap();
        let words = hand.words(function, &lock(&self.pools));
        let before = self.places(function, &words);
        let result = self.run(thread, index, &words);
        self.enter(function, &words, &before, result);
    }

    /// Calls a function, watched.
    fn run(&self, thread: usize, index: usize, words: &[u64]) -> u64 {
        let function = self.functions.get(index).unwrap();
        writeln!(lock(&self.log), "{thread}: {}({words:x?})", function.name).unwrap();
        WATCHED
            .call
            .get(thread)
            .unwrap()
            .store(index, Ordering::SeqCst);
        WATCHED
            .began
            .get(thread)
            .unwrap()
            .store(self.now(), Ordering::SeqCst);
        let result = (function.call)(words);
        WATCHED
            .began
            .get(thread)
            .unwrap()
            .store(0, Ordering::SeqCst);
        self.calls.fetch_add(1, Ordering::Relaxed);
        writeln!(lock(&self.log), "{thread}: = {result:x}").unwrap();
        if matches!(function.returns.ty, "aclError" | "aclnnStatus") {
            self.judge(function.name, result as i32);
        }
        result
    }

    /// Fails unless a status is one of AscendCL. The stamps of the profiler have a code of their own for all failures.
    fn judge(&self, name: &'static str, code: i32) {
        let is_stamp = name.starts_with("aclprof") && code == -1;
        if sys::status::name(code).is_none() && !is_stamp {
            eprintln!("{name} returned {code}, which is no status");
            self.leave(1);
        }
        lock(&self.reached).insert((name, code));
    }

    /// The first words of the places of a call.
    fn places(&self, function: &Function, words: &[u64]) -> Vec<[u64; 8]> {
        let arguments = function.arguments.iter().zip(words);
        let read = |(argument, word): (&Argument, &u64)| match argument.class(&self.opaque) {
            Class::Handles(_) | Class::Addresses | Class::Values(_) | Class::Text if *word != 0 => {
                let bytes = Arena::read::<64>(*word);
                std::array::from_fn(|at| {
                    let word = bytes.get(at * 8..at * 8 + 8).unwrap();
                    u64::from_ne_bytes(word.try_into().unwrap())
                })
            }
            _ => [0; 8],
        };
        arguments.map(read).collect()
    }

    /// Enters what a call has made and destroyed.
    fn enter(&self, function: &Function, words: &[u64], before: &[[u64; 8]], result: u64) {
        let after = self.places(function, words);
        let mut pools = lock(&self.pools);
        let name = function.name;
        let ends = ["Destroy", "Free", "Release", "Unmap", "Close"]
            .iter()
            .any(|word| name.contains(word));
        let makes = result as i32 == 0
            && ["alloc", "Alloc", "Create", "Reserve", "Import", "Register"]
                .iter()
                .any(|word| name.contains(word));
        let arguments = function
            .arguments
            .iter()
            .zip(words)
            .zip(before.iter().zip(&after));
        for ((argument, word), (before, after)) in arguments {
            let class = argument.class(&self.opaque);
            // The allocator may return an address that the place had before.
            let is_new = |at: usize| makes && at == 0;
            let changed = || {
                let words = before.iter().zip(after).enumerate();
                words.filter_map(move |(at, (before, after))| {
                    ((before != after || is_new(at)) && *after != 0).then_some(*after)
                })
            };
            match class {
                Class::Handles(kind) => changed().for_each(|handle| pools.created(kind, handle)),
                Class::Addresses => {
                    changed().for_each(|address| remember(&mut pools.memory, address))
                }
                Class::Handle(kind) if ends && result as i32 == 0 => pools.destroyed(kind, *word),
                Class::Address if name.contains("Register") && result as i32 == 0 => {
                    remember(&mut pools.memory, *word);
                }
                Class::Text if before != after => {
                    let text = Arena::read::<256>(*word);
                    remember(
                        &mut pools.texts,
                        text.split(|byte| *byte == 0)
                            .next()
                            .unwrap_or_default()
                            .to_vec(),
                    );
                }
                Class::Values(8) if argument.ty == "*mut *mut i64" => {
                    for array in changed() {
                        // SAFETY: the array is the caller's, as `aclGetViewShape` documents, and nobody else has it.
                        unsafe {
                            libc::free(std::ptr::with_exposed_provenance_mut(array as usize))
                        };
                    }
                }
                Class::Values(4 | 8) => changed()
                    .take(1)
                    .for_each(|number| remember(&mut pools.numbers, number)),
                _ => {}
            }
        }
        if let Class::Handle(kind) = function.returns.class(&self.opaque)
            && result != 0
        {
            pools.created(kind, result);
        }
    }

    /// Destroys what is left, and fails unless nothing is live then.
    fn release(&self, hand: &mut Hand) {
        let pools = std::mem::take(&mut *lock(&self.pools));
        let find = |name: &str| {
            self.functions
                .iter()
                .position(|function| function.name == name)
                .unwrap()
        };
        for device in 0..u64::from(DEVICES) {
            self.insist(find("aclrtSetDevice"), &[device]);
            for address in &pools.memory {
                for name in [
                    "aclrtHostUnregister",
                    "hi_mpi_dvpp_free",
                    "aclrtUnmapMem",
                    "aclrtReleaseMemAddress",
                    "aclrtFreeHost",
                    "aclrtFree",
                    "acldvppFree",
                ] {
                    self.insist(find(name), &[*address]);
                }
            }
            // A notify is destroyed in a context.
            for notify in pools.live("aclrtNotify") {
                self.insist(find("aclrtDestroyNotify"), &[*notify]);
            }
            self.run(0, find("aclrtResetDeviceForce"), &[device]);
        }
        for (index, function) in self.functions.iter().enumerate() {
            let [argument] = function.arguments.as_slice() else {
                continue;
            };
            let Class::Handle(kind) = argument.class(&self.opaque) else {
                continue;
            };
            if ["Destroy", "Free"]
                .iter()
                .any(|word| function.name.contains(word))
            {
                for handle in pools.live(kind) {
                    self.insist(index, &[*handle]);
                }
            }
        }
        // An injected fault may hit a reset, so the answer that nothing is left to reset ends the loop.
        for device in 0..u64::from(DEVICES) {
            for _ in 0..50 {
                let code = self.run(0, find("aclrtResetDeviceForce"), &[device]);
                if code as i32 == sys::ACL_ERROR_RT_CONTEXT_RELEASE_ERROR {
                    break;
                }
            }
        }
        let _ = (take_findings(), take_violations(), hand);
        self.judge_left(live(), 0);
    }

    /// Calls a function again while an injected fault may have hit it.
    fn insist(&self, index: usize, words: &[u64]) {
        for _ in 0..3 {
            if self.run(0, index, words) as i32 == 0 {
                break;
            }
        }
    }

    fn judge_left(&self, left: Live, more: usize) {
        let left_over = left.device_blocks
            + left.host_blocks
            + left.streams
            + left.events
            + left.contexts
            + more;
        if left_over != 0 {
            eprintln!("{left:?} is left");
            self.leave(1);
        }
    }
}
