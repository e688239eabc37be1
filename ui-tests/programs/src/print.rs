//! Programs as Rust: each step in the spelling in which a user would write it.

mod collective;
mod forms;
mod graph;
mod kernel;
mod pipeline;
mod reserved;
mod signals;

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;
use std::vec::IntoIter;

use crate::model::{Returned, expected};
use crate::program::{Collective, Layout, Name, Op, Operator, Program, Step, Way, Which};

/// How a name is passed where a step borrows it exclusively or consumes a part.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Flavour {
    Value,
    /// A `&mut` that a closure was given.
    Reference,
    /// A part of memory, which is passed by value.
    Part,
    /// A `Vec`, which is passed as a slice.
    Vec,
}

/// The text of a function `program` with the steps.
pub(crate) fn print(program: &Program) -> String {
    let (numbers, returned) = expected(program);
    let mut printer = Printer {
        text: String::from(HEAD),
        flavours: BTreeMap::new(),
        depth: 1,
        stops: 0,
        numbers: numbers.into_iter(),
        returned: returned.into_iter(),
        scopes: BTreeMap::new(),
        registered: BTreeSet::new(),
        bindings: BTreeMap::new(),
        stops_on_failure: program.has_kind("StopOnFailure"),
    };
    printer.steps(&program.steps);
    printer.text.push_str("    Ok(())\n}\n");
    printer.text
}

const HEAD: &str = "\
use crate::*;

pub fn program(mut acl: Acl) -> Result<()> {
    let host = acl.host()?;
";

/// The line in front of the threads of ranks.
pub(crate) const RANKS: &str = "thread::scope(|threads| all([";

/// The number of elements of each buffer.
/// Two and three ranks can divide a half of it.
/// They fill pages, so that each of them can be exported.
pub(crate) const LENGTH: usize = 3072;

struct Printer {
    text: String,
    flavours: BTreeMap<Name, Flavour>,
    depth: usize,
    /// The number of places where the program may stop.
    stops: usize,
    /// What the reads of the host that are left have to find, and the uses of pipelines.
    numbers: IntoIter<Option<i32>>,
    returned: IntoIter<Option<Returned>>,
    /// The binding of each scope, and the depth of its steps.
    scopes: BTreeMap<Name, (Name, usize)>,
    /// The memory that was registered.
    registered: BTreeSet<Name>,
    /// The binding of each stream with a name.
    bindings: BTreeMap<Name, Name>,
    /// A device of the program stops behind a failure.
    stops_on_failure: bool,
}

impl Printer {
    fn line(&mut self, line: &str) {
        // Writing into a String cannot fail.
        let _ = writeln!(self.text, "{:width$}{line}", "", width = self.depth * 4);
    }

    fn steps(&mut self, steps: &[Step]) {
        for step in steps {
            self.step(step);
        }
    }

    fn flavour(&self, name: Name) -> Flavour {
        self.flavours.get(&name).copied().unwrap_or(Flavour::Value)
    }

    /// The name as an exclusive borrow.
    fn exclusive(&self, name: Name) -> String {
        match self.flavour(name) {
            Flavour::Value => format!("&mut {name}"),
            Flavour::Reference => format!("&mut *{name}"),
            Flavour::Part => name.to_string(),
            Flavour::Vec => format!("&mut {name}[..]"),
        }
    }

    /// The name as a shared borrow.
    fn shared(&self, name: Name) -> String {
        match self.flavour(name) {
            Flavour::Value => format!("&{name}"),
            Flavour::Reference => format!("&*{name}"),
            Flavour::Part => name.to_string(),
            Flavour::Vec => format!("&{name}[..]"),
        }
    }

    fn block(&mut self, head: &str, step: &Step, last: &str, end: &str) {
        self.line(head);
        self.depth += 1;
        self.steps(&step.body);
        self.line(last);
        self.depth -= 1;
        self.line(end);
    }

    #[expect(clippy::too_many_lines, reason = "a line or two for each kind of step")]
    fn step(&mut self, step: &Step) {
        let of = |index: usize| step.of.get(index).copied().unwrap_or(crate::program::ACL);
        let to = |index: usize| step.to.get(index).copied().unwrap_or(crate::program::ACL);
        let (a, b, c, d, x) = (of(0), of(1), of(2), of(3), to(0));
        let stop = self.stops;
        // The destination of a copy, a fill or an operator: fresh memory by value, other memory by `&mut`.
        let is_fresh = !step.to.is_empty();
        let target = |printer: &Self, name: Name| {
            if is_fresh {
                name.to_string()
            } else {
                printer.exclusive(name)
            }
        };
        let result = if is_fresh {
            format!("let mut {x} = ")
        } else {
            String::new()
        };
        let line = match step.op {
            Op::Claim => format!("let mut {x} = Thread::claim()?;"),
            Op::SetDevice { slot, id } => {
                let thread = self.exclusive(b);
                format!("let mut {x} = {a}.set_device::<Npu<{slot}>>({thread}, {id})?;")
            }
            Op::StopOnFailure => format!("let mut {x} = {a}.stop_on_failure();"),
            Op::Limit => format!("let mut {x} = {a}.release_within(limit())?;"),
            Op::CreateContext { number } => {
                let thread = self.exclusive(b);
                format!("let mut {x} = {a}.create_context::<{number}>({thread})?;")
            }
            Op::Bind => format!("let mut {x} = {a}.set_current(&{b})?;"),
            Op::BindContext => format!("let mut {x} = {a}.set_current_context(&{b})?;"),
            Op::Reset => format!("{a}.reset()?;"),
            Op::DestroyContext | Op::CommDestroy => format!("{a}.destroy()?;"),
            Op::Finalize => format!("{a}.finalize()?;"),
            Op::SynchronizeDevice => format!("{a}.synchronize_device()?;"),
            Op::CreateStream { name } => {
                self.bindings.insert(x, a);
                format!("let mut {x} = {a}.create_stream::<Name{name}>()?;")
            }
            Op::DefaultStream => format!("let mut {x} = {a}.default_stream()?;"),
            Op::DestroyStream => format!("{a}.destroy()?;"),
            Op::Synchronize => format!("let mut {x} = {a}.synchronize()?;"),
            Op::Drain => format!("let mut {x} = {a}.drain()?;"),
            Op::SynchronizeWithin => format!("let mut {x} = {a}.synchronize_within(limit())?;"),
            Op::TryWithin => format!("let _ = {a}.synchronize_within(limit());"),
            Op::Abort => format!("let mut {x} = {a}.abort()?;"),
            Op::Query => format!("{a}.query()?;"),
            Op::Park => format!("let mut {x} = {a}.park({b});"),
            Op::Attach => format!("let mut {x} = {a}.attach({b});"),
            Op::CreateNumbered => format!("let mut {x} = {a}.create_parked_stream()?;"),
            Op::Unbrand => format!("let mut {x} = {a}.unbrand();"),
            Op::Rebrand => format!("let mut {x} = {a}.rebrand({b})?;"),
            Op::Malloc => format!("let mut {x} = {a}.malloc::<i32>({LENGTH})?;"),
            Op::MallocHost | Op::MallocHostOn => {
                format!("let mut {x} = {a}.malloc_host_from(host, &[1_i32; {LENGTH}])?;")
            }
            Op::Vec => {
                self.flavours.insert(x, Flavour::Vec);
                format!("let mut {x} = ones({LENGTH})?;")
            }
            Op::MallocOn => format!("let mut {x} = {a}.malloc::<i32>({LENGTH})?;"),
            Op::CreatePool => format!("let mut {x} = {a}.create_pool(1 << 30)?;"),
            Op::MallocFrom => format!("let mut {x} = {a}.malloc_from::<i32>(&{b}, {LENGTH})?;"),
            Op::DestroyPool => format!("{b}.destroy({a})?;"),
            Op::Memset => format!("{result}{a}.memset({}, 7)?;", target(self, b)),
            Op::Memcpy => {
                let (to, from) = (target(self, b), self.shared(c));
                format!("{result}{a}.memcpy({to}, {from})?;")
            }
            Op::MemsetAsync => format!("{result}{a}.memset_async({}, 7)?;", target(self, b)),
            Op::MemcpyAsync => {
                let (to, from) = (target(self, b), self.shared(c));
                format!("{result}{a}.memcpy_async({to}, {from})?;")
            }
            Op::Read => match self.numbers.next().flatten() {
                Some(number) => format!("read({a}[0], {number});"),
                None => format!("black_box({a}[0]);"),
            },
            Op::Write => format!("{a}[0] = 5;"),
            Op::Free => format!("{a}.free()?;"),
            Op::FreeWithDevSync => format!("{b}.free_with_dev_sync({a})?;"),
            Op::Adopt | Op::CommAdopt => format!("let mut {x} = {a}.adopt({b});"),
            Op::Take | Op::CommTake => format!("let mut {x} = {a}.take({b});"),
            Op::Verify | Op::CommVerify => format!("let mut {x} = {a}.verify({b});"),
            Op::Accept | Op::CommAccept => format!("let mut {x} = {a}.accept_unverified();"),
            Op::Share => format!("let mut {x} = {a}.share();"),
            Op::CloneShare => format!("let mut {x} = {a}.clone();"),
            Op::TryUnwrap => {
                let stop = "return Ok(())";
                format!(
                    "let mut {x} = match {a}.try_unwrap() {{ Ok(last) => last, Err(_) => {stop} }};"
                )
            }
            Op::Split => {
                self.flavours.insert(x, Flavour::Part);
                self.flavours.insert(to(1), Flavour::Part);
                let half = LENGTH / 2;
                format!("let (mut {x}, mut {}) = {a}.split_at_mut({half})?;", to(1))
            }
            Op::Slice => {
                self.flavours.insert(x, Flavour::Part);
                format!("let mut {x} = {a}.slice(0..{})?;", LENGTH / 2)
            }
            Op::And => {
                let (both, second) = (format!("{a}.and({b}).split()"), to(1));
                format!("let (mut {x}, mut {second}) = {both};")
            }
            Op::CreateEvent(flags) => {
                format!("let mut {x} = {a}.create_event::<{flags:?}>()?;")
            }
            Op::DestroyEvent => format!("{a}.destroy()?;"),
            Op::Record => format!("let mut {x} = {a}.record({})?;", self.exclusive(b)),
            Op::Wait => format!("{a}.wait({b})?;"),
            Op::SynchronizePoint => format!("let mut {x} = {a}.synchronize()?;"),
            Op::QueryPoint => format!("{a}.query()?;"),
            Op::Elapsed => format!("{a}.millis_since(&{b})?;"),
            Op::Fence => format!("let mut {x} = {a}.fence({b}, {c})?;"),
            Op::WaitFence => {
                format!("let (mut {x}, mut {}) = {a}.wait_fence({b})?;", to(1))
            }
            Op::SynchronizeFence => {
                format!("let (mut {x}, mut {}) = {a}.synchronize()?;", to(1))
            }
            Op::SynchronizeFenceWithin => {
                let call = "synchronize_within(limit())?";
                format!("let (mut {x}, mut {}) = {a}.{call};", to(1))
            }
            Op::CancelFence => format!("let (mut {x}, mut {}) = {a}.cancel();", to(1)),
            Op::WaitShared => format!("let mut {x} = {a}.wait_shared(&{b})?;"),
            Op::Handoff => self.handoff((a, b, c, d), x),
            Op::Synchronized => {
                self.line("let done = Mark::default();");
                self.line(&format!("{a}.launch_host_func(done.function())?;"));
                format!("let mut {x} = done.watch({a}.synchronized());")
            }
            Op::Completed => {
                self.line("let done = Mark::default();");
                self.line(&format!("{a}.launch_host_func(done.function())?;"));
                format!("let mut {x} = done.watch({a}.completed({b}));")
            }
            Op::PollSynchronized | Op::PollCompleted => format!("{a}.poll_once();"),
            Op::AwaitSynchronized | Op::AwaitCompleted => format!("let mut {x} = block_on({a})?;"),
            Op::TryCompleted => format!("let _ = block_on({a});"),
            Op::Pipeline { .. }
            | Op::Push { .. }
            | Op::PushPanics
            | Op::Pop
            | Op::Compare
            | Op::RunBatches { .. } => self.pipeline(step.op, [a, b, x]),
            Op::CreateCounter
            | Op::Count
            | Op::ResetCounter
            | Op::AwaitCount { .. }
            | Op::Export
            | Op::CloseExport
            | Op::ToDlpack
            | Op::CreateShared
            | Op::RecordShared
            | Op::SynchronizeShared
            | Op::SetSize
            | Op::LimitCores { .. }
            | Op::SeeCores => self.signals(step),
            Op::Lend { exclusive } => {
                let memory = if exclusive {
                    self.exclusive(b)
                } else {
                    self.shared(b)
                };
                match self.pinned(a, b) {
                    Some(binding) => {
                        format!("let mut {x} = {a}.lend_pinned({binding}, host, {memory})?;")
                    }
                    None => format!("let mut {x} = {a}.lend({memory});"),
                }
            }
            Op::IntoInner => format!("{a}.into_inner();"),
            Op::Plan {
                operator,
                fresh,
                layout,
            } => {
                let [b, c, d] = Self::tensors([b, c, d], layout, fresh);
                let arguments = match operator {
                    Operator::Add => format!("add({a}, {b}, {c}, 1, {d})"),
                    Operator::Mul => format!("mul({a}, {b}, {c}, {d})"),
                    Operator::Relu => format!("relu({a}, {b}, {d})"),
                    Operator::InplaceAdd => format!("inplace_add({a}, {d}, {b}, 1)"),
                };
                format!("let mut {x} = op::{arguments}?;")
            }
            Op::Repeatable => format!("let mut {x} = {b}.repeatable({a})?;"),
            Op::RunAgain { operator, layout } | Op::LaunchAgain { operator, layout } => {
                let [c, d, out] = Self::tensors([c, d, of(4)], layout, is_fresh);
                let word = match step.op {
                    Op::RunAgain { .. } => "run",
                    _ => "launch",
                };
                let operands = match operator {
                    Operator::Add | Operator::Mul => format!("({c}, {d}, {out})"),
                    Operator::Relu => format!("({c}, {out})"),
                    Operator::InplaceAdd => format!("({out}, {c})"),
                };
                format!("{result}{a}.{word}({}, {operands})?;", self.exclusive(b))
            }
            Op::Find => {
                let tensor = format!("&{b}.tensor(&[{LENGTH}])?");
                let out =
                    format!("{a}.malloc::<i64>({LENGTH})?.into_tensor_up_to(&[{LENGTH}, 1])?");
                format!("let mut {x} = op::nonzero({a}, {tensor}, {out})?;")
            }
            Op::Front => {
                let vec = format!("{a}.malloc_host_from(host, &[0_i64; {LENGTH}])?");
                self.line(&format!("let mut numbers = {vec};"));
                let count = format!("{b}.front()?.len()");
                format!("{a}.memcpy(numbers.slice_mut(0..{count})?, {b}.front()?)?;")
            }
            Op::Load => format!("let mut {x} = {a}.load_model_from::<Queueing>(MODEL)?;"),
            Op::Infer => {
                let (model, from) = (self.exclusive(a), self.shared(c));
                let to = target(self, d);
                let call = format!("{b}.execute_async({model}, ({from},), ({to},))?;");
                if is_fresh {
                    format!("let (mut {x},) = {call}")
                } else {
                    call
                }
            }
            Op::ReserveMem
            | Op::MapMem
            | Op::GrowFilled
            | Op::GrowCopied
            | Op::GrowFilledOn
            | Op::GrowCopiedOn
            | Op::ReadTail
            | Op::ReadGrown { .. }
            | Op::ReadGrownOn { .. }
            | Op::WriteGrownOn { .. }
            | Op::Truncate { .. }
            | Op::UnmapMem => self.reserved(step, &result),
            Op::LoadBinary | Op::FindKernel { .. } | Op::LaunchKernel { .. } | Op::Unload => {
                self.kernel(step, &result)
            }
            Op::Capture { .. }
            | Op::CaptureFails { .. }
            | Op::Also { .. }
            | Op::LaunchGraph { .. }
            | Op::UpdateGraph { .. }
            | Op::FillPart(_)
            | Op::ReadPart(_)
            | Op::WritePart(_)
            | Op::SeePart(_)
            | Op::SetPart(_)
            | Op::DestroyGraph => return self.graph(step, &result),
            Op::Media => format!("let mut {x} = {a}.media()?.v1()?;"),
            Op::Channel => format!("let mut {x} = {a}.create_channel::<All, _>({b})?;"),
            Op::Picture => format!("let mut {x} = {a}.picture::<Nv12, _>({b}, 32, 16)?;"),
            Op::Paint => format!("let mut {x} = {b}.fill({a}, 7)?;"),
            Op::Crop => {
                let (user, from) = (self.shared(a), self.shared(c));
                let to = target(self, d);
                format!("{result}{b}.with({user}).crop({from}, REGION, {to})?;")
            }
            Op::Check => format!("let mut {x} = {a}.check()?;"),
            Op::Pixels => format!("black_box({b}.read({a})?);"),
            Op::Run => format!("{result}{a}.run({})?;", self.exclusive(b)),
            Op::Launch => format!("{result}{a}.launch({})?.into_output();", self.exclusive(b)),
            Op::EnablePeer => {
                let route = format!("{a}.can_access_peer(&{b})?.ok_or_else(stopped)?");
                format!("let mut {x} = {route}.enable({a})?;")
            }
            Op::DisablePeer => format!("{a}.disable()?;"),
            Op::MemcpyPeer => {
                let to = format!(
                    "{b}.outbound().slice_mut({}, 0..{LENGTH})?",
                    self.exclusive(c)
                );
                format!("{a}.memcpy({to}, {})?;", self.shared(d))
            }
            Op::CommInit { name } => {
                let join = format!("{a}.comm_init_root_info::<Group{name}>(&root, 0)");
                format!("let mut {x} = {a}.root_info(1).and_then(|root| {join})?;")
            }
            Op::RootInfo { ranks } => {
                format!("let mut {x} = root(|| {a}.root_info({ranks}))?;")
            }
            Op::CommJoin { name, rank } => {
                format!("let mut {x} = {a}.comm_init_root_info::<Group{name}>(&{b}, {rank})?;")
            }
            Op::CommInitAll { name, ranks } => {
                let list = |names: &[Name], before: &str, after: &str| {
                    let names = names.iter().map(|name| format!("{before}{name}{after}"));
                    names.collect::<Vec<_>>().join(", ")
                };
                let devices = list(step.of.get(1..).unwrap_or_default(), "", ".member()");
                let made = format!("{a}.comm_init_all::<Group{name}>(&[{devices}])?");
                let seats = list(&step.to, "mut ", "");
                let all = format!("{made}.try_into().map_err(|_| stopped())?");
                format!("let [{seats}]: [_; {ranks}] = {all};")
            }
            Op::CommAttach => format!("let mut {x} = {b}.attach({a})?;"),
            Op::SubComm { part } => {
                let ranks = format!("{a}.ranks().iter().collect::<Vec<_>>()");
                format!("let mut {x} = {a}.create_sub_comm::<Group{part}>(&{ranks}, {part})?;")
            }
            Op::RankOf(which) => {
                let rank = match which {
                    Which::Own => "own()".into(),
                    Which::Next => "next()".into(),
                    Which::Previous => "previous()".into(),
                    Which::At(number) => format!("rank({number})?"),
                };
                format!("let mut {x} = {a}.ranks().{rank};")
            }
            Op::Collective { kind } => {
                let (call, first) = match kind {
                    Collective::AllReduce => ("all_reduce", "Sum, ".into()),
                    Collective::AllGather => ("all_gather", String::new()),
                    Collective::ReduceScatter => ("reduce_scatter", "Sum, ".into()),
                    Collective::AllToAll => ("all_to_all", String::new()),
                    Collective::Reduce => ("reduce", format!("Sum, {a}.ranks().rank(0)?, ")),
                    Collective::AllMax => ("all_reduce", "Max, ".into()),
                    Collective::AllGatherV(_) => ("all_gather_v", "&list, ".into()),
                    Collective::ReduceScatterV(_) => ("reduce_scatter_v", "Sum, &list, ".into()),
                    Collective::AllToAllV(_) => ("all_to_all_v", String::new()),
                    Collective::AllToAllVC(_) => ("all_to_all_vc", "&matrix, ".into()),
                };
                if let Some(lengths) = kind.lengths() {
                    self.list(kind, lengths, (a, c));
                }
                let (user, from) = (self.shared(a), self.shared(c));
                let to = target(self, d);
                let own = "list.range(own)?";
                let (from, to) = match kind {
                    Collective::AllGatherV(_) => (format!("{c}.slice({own})?"), to),
                    Collective::ReduceScatterV(_) => (from, format!("{d}.slice_mut({own})?")),
                    Collective::AllToAllV(_) => {
                        (format!("(&list, {from})"), format!("(&list, {to})"))
                    }
                    _ => (from, to),
                };
                format!("{result}{b}.with({user}).{call}({first}{from}, {to})?;")
            }
            Op::InPlace => {
                let (user, memory) = (self.shared(a), self.exclusive(c));
                format!("{b}.with({user}).all_reduce_in_place(Sum, {memory})?;")
            }
            Op::Broadcast => {
                let (user, memory) = (self.shared(a), self.exclusive(d));
                format!("{b}.with({user}).broadcast({c}, {memory})?;")
            }
            Op::Barrier => format!("{b}.with({}).barrier()?;", self.shared(a)),
            Op::Send => {
                let (user, memory) = (self.shared(a), self.shared(d));
                format!("{b}.with({user}).send({c}, {memory})?;")
            }
            Op::Recv => {
                let (user, memory) = (self.shared(a), target(self, d));
                format!("{result}{b}.with({user}).recv({c}, {memory})?;")
            }
            Op::Exchange => {
                let (user, from, to) = (self.shared(a), self.shared(d), target(self, of(5)));
                format!(
                    "{result}{b}.with({user}).exchange(({c}, {from}), ({}, {to}))?;",
                    of(4)
                )
            }
            Op::Batch => format!("let mut {x} = {a}.batch();"),
            Op::BatchSend => format!("{a}.send({b}, {})?;", self.shared(c)),
            Op::BatchRecv => format!("{a}.recv({b}, {})?;", self.exclusive(c)),
            Op::BatchRun => format!("{b}.with({}).batch_send_recv({c})?;", self.shared(a)),
            Op::HostFunc => format!("{a}.launch_host_func(|| ())?;"),
            Op::HostFuncOn => {
                let memory = self.exclusive(b);
                format!("{a}.launch_host_func_on({memory}, |memory| memory[0] = 6)?;")
            }
            Op::HostFuncOwns => {
                format!("{a}.launch_host_func(move || drop({b}))?;")
            }
            Op::Drop => format!("drop({a});"),
            Op::Forget => format!("mem::forget({a});"),
            Op::Through(way) => {
                let value = match way {
                    Way::Box => format!("*Box::new({a})"),
                    Way::Option => format!("Some({a}).take().ok_or_else(stopped)?"),
                    Way::Vec => format!("vec![{a}].pop().ok_or_else(stopped)?"),
                    Way::Function => format!("pass({a})"),
                    Way::Closure => format!("(move || {a})()"),
                    Way::Replace => {
                        format!("mem::replace(&mut Some({a}), None).ok_or_else(stopped)?")
                    }
                };
                let flavour = self.flavour(a);
                self.flavours.insert(x, flavour);
                format!("let mut {x} = {value};")
            }
            Op::Swap => format!("mem::swap(&mut {a}, &mut {b});"),
            Op::Hole => format!("let mut {x} = None;"),
            Op::Escape => format!("{a} = Some({b});"),
            Op::Return => {
                self.stops += 1;
                format!("if stops({stop}) {{ return Ok(()); }}")
            }
            Op::Fail => {
                self.stops += 1;
                format!("if stops({stop}) {{ Err(stopped())?; }}")
            }
            Op::Closure => return self.block("(|| -> Result<()> {", step, "Ok(())", "})()?;"),
            Op::Catch => {
                let head = "let _ = catch_unwind(AssertUnwindSafe(|| -> Result<()> {";
                return self.block(head, step, "panic!(\"a panic of the program\");", "}));");
            }
            Op::Repeat => return self.block("for _ in 0..2 {", step, "", "}"),
            Op::Spawn => {
                let head = "thread::scope(|threads| threads.spawn(|| -> Result<()> {";
                let end = "}).join().map_err(|_| stopped())?)?;";
                return self.block(head, step, "Ok(())", end);
            }
            Op::Ranks => return self.ranks(step),
            // It stands in a block of ranks, which prints it.
            Op::Rank => return,
            Op::Scope => {
                self.scopes.insert(x, (a, self.depth + 1));
                let head = format!("{a}.scope(|{x}| -> Result<()> {{");
                return self.block(&head, step, "Ok(())", "})??;");
            }
            Op::WithStream => {
                let head = format!("{a}.with_stream(|mut {x}| -> Result<()> {{");
                return self.block(&head, step, "Ok(())", "})??;");
            }
            Op::ParkedWith => {
                self.flavours.insert(x, Flavour::Reference);
                let head = format!("{a}.with({b}, |{x}| -> Result<()> {{");
                return self.block(&head, step, "Ok(())", "})?;");
            }
            Op::WithCores { cores } => {
                self.flavours.insert(x, Flavour::Reference);
                let limits = format!("&[(CoreKind::Vector, {cores})]");
                let head = format!("{a}.with_res_limit({limits}, |{x}| -> Result<()> {{");
                return self.block(&head, step, "Ok(())", "})?;");
            }
            Op::WithDevice { id } => {
                self.flavours.insert(to(1), Flavour::Reference);
                let thread = self.exclusive(b);
                let head = format!(
                    "{a}.with_device({thread}, {id}, |{x}, {}| -> Result<()> {{",
                    to(1)
                );
                return self.block(&head, step, "Ok(())", "})??;");
            }
        };
        self.line(&line);
    }

    /// Two operands and an output of an operator.
    fn tensors([first, second, out]: [Name; 3], layout: Layout, fresh: bool) -> [String; 3] {
        let shaped = |call: &str| match layout {
            Layout::Whole => format!("{call}(&[{LENGTH}])?"),
            Layout::Turned => format!("{call}(&[4, {}])?.transpose(0, 1)?", LENGTH / 4),
            Layout::Part => format!("{call}(&[{LENGTH}])?.slice(0, 0..{}, 1)?", LENGTH / 2),
        };
        let tensor = |name: Name| format!("&{name}.{}", shaped("tensor"));
        let output = if fresh { "into_tensor" } else { "tensor_mut" };
        let output = format!("{out}.{}", shaped(output));
        [tensor(first), tensor(second), output]
    }
}
