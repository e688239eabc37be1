//! What a run does, and the programs that it makes.

use std::ops::Range;
use std::path::PathBuf;
use std::str::FromStr;

use crate::compile::Workshop;
use crate::generate::{generate, use_fenced};
use crate::mutate::mutate_towards_illegal;
use crate::program::{Program, Reach};
use crate::random::Random;

/// The seed of continuous integration.
pub const SEED: u64 = 1;
/// The number of programs of continuous integration.
pub const COUNT: usize = 900;
/// The number of programs of a soak.
pub const SOAK: usize = 20_000;

/// A kind of programs, known by its name.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Only(Reach);

impl FromStr for Only {
    type Err = String;

    fn from_str(name: &str) -> Result<Only, String> {
        name.parse().map(Only)
    }
}

/// What a run does, and where.
#[derive(Debug, Clone)]
pub struct Options {
    /// The seed: the same seed makes the same programs.
    pub seed: u64,
    /// The number of programs.
    pub count: usize,
    /// Makes programs of this kind only.
    pub only: Option<Only>,
    /// The root of the workspace.
    pub workspace: PathBuf,
    /// A folder for what is generated and built.
    pub target: PathBuf,
}

impl Options {
    pub(crate) fn workshop(&self) -> Workshop {
        Workshop {
            source: self.workspace.clone(),
            workspace: self.workspace.clone(),
            folder: self.target.join("package"),
            target: self.target.join("built"),
        }
    }
}

/// The programs of a seed with these numbers.
pub(crate) fn programs(seed: u64, numbers: Range<usize>) -> Vec<Program> {
    make(seed, numbers, None)
}

/// The programs of a run with these numbers.
pub(crate) fn of_run(options: &Options, numbers: Range<usize>) -> Vec<Program> {
    let only = options.only.map(|Only(reach)| reach);
    make(options.seed, numbers, only)
}

fn make(seed: u64, numbers: Range<usize>, only: Option<Reach>) -> Vec<Program> {
    let make = |number: usize| {
        let mut random = Random::new(seed, number as u64);
        let usual = match number {
            _ if number % 16 == 5 => Reach::Ranks,
            _ if number % 10 == 9 => Reach::Comms,
            _ if matches!(number % 32, 7 | 31) => Reach::Pools,
            _ if matches!(number % 32, 11 | 12) => Reach::Reserved,
            _ if number % 32 == 4 => Reach::Counters,
            _ if number % 32 == 20 => Reach::Shares,
            _ if number % 32 == 28 => Reach::Settings,
            _ if number % 8 == 3 => Reach::Media,
            _ if number % 8 == 2 => Reach::Kernels,
            _ if number % 8 == 6 => Reach::Graphs,
            _ if number % 7 < 2 => Reach::Within,
            _ => Reach::Alone,
        };
        let program = generate(&mut random, only.unwrap_or(usual));
        if number.is_multiple_of(3) {
            return use_fenced(program, &mut random);
        }
        mutate_towards_illegal(&program, &mut random)
    };
    numbers.map(make).collect()
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::{COUNT, SEED, programs};
    use crate::model::{Rule, expected, judge, numbers_read};
    use crate::print::print;
    use crate::program::{Program, Step};

    #[test]
    fn a_seed_determines_the_programs() {
        let text = || programs(SEED, 0..20).iter().map(print).collect::<String>();
        assert_eq!(text(), text());
        assert_ne!(
            text(),
            programs(SEED + 1, 0..20)
                .iter()
                .map(print)
                .collect::<String>()
        );
    }

    #[test]
    fn both_sides_of_the_border_are_met() {
        let all = programs(SEED, 0..60);
        assert!(all.iter().all(Program::is_resolved));
        let (mut legal, mut illegal) = (0, 0);
        for (number, program) in all.iter().enumerate() {
            let verdict = judge(program);
            assert!(
                number % 3 != 0 || verdict.is_clean(),
                "a generated program is clean"
            );
            match verdict.broken {
                None => legal += 1,
                Some(_) => illegal += 1,
            }
        }
        assert!(
            legal >= 20 && illegal >= 25,
            "{legal} legal, {illegal} illegal"
        );
    }

    /// Rules that scenes break, with the number of programs that have to do it.
    const OF_SCENES: [(Rule, usize); 11] = [
        (Rule::DefaultAborted, 4),
        (Rule::NotAborted, 4),
        (Rule::Poisoned, 3),
        (Rule::TouchedInUse, 10),
        (Rule::Unverified, 10),
        (Rule::Race, 10),
        (Rule::HostToHost, 8),
        (Rule::NoOrder, 9),
        (Rule::Unwritten, 10),
        (Rule::Unproven, 10),
        (Rule::StatusUnread, 5),
    ];

    const LISTS: [&str; 4] = ["AllGatherV", "ReduceScatterV", "AllToAllV", "AllToAllVC"];

    #[test]
    fn continuous_integration_meets_most_kinds_and_rules() {
        fn kinds(steps: &[Step], found: &mut BTreeSet<String>) {
            for step in steps {
                found.insert(step.op.kind());
                kinds(&step.body, found);
            }
        }
        let (mut found, mut rules) = (BTreeSet::new(), BTreeSet::new());
        let (mut differ, mut dropped) = (0, 0);
        let (mut processes, mut short) = (0, [0; 4]);
        let mut broken_by_scenes = [0; 11];
        let mut repeated_elsewhere = 0;
        let (mut bounded, mut known) = (0, 0);
        for program in programs(SEED, 0..COUNT) {
            kinds(&program.steps, &mut found);
            let verdict = judge(&program);
            let broken = verdict.broken;
            let is_bounded = verdict.bounded && program.has_kind("Limit");
            if is_bounded && verdict.is_clean() {
                bounded += 1;
                known += numbers_read(&program).iter().flatten().count();
            }
            differ += usize::from(broken == Some(Rule::RanksDiffer));
            let is_dropped =
                broken == Some(Rule::MemoryGone) && print(&program).contains("batch_send");
            dropped += usize::from(is_dropped);
            rules.extend(broken);
            for (count, (rule, _)) in broken_by_scenes.iter_mut().zip(OF_SCENES) {
                *count += usize::from(broken == Some(rule));
            }
            let is_elsewhere = broken == Some(Rule::OtherContext);
            repeated_elsewhere += usize::from(is_elsewhere && program.has_kind("Repeatable"));
            processes += usize::from(program.ranks_are_processes());
            for (count, kind) in short.iter_mut().zip(LISTS) {
                *count += usize::from(broken == Some(Rule::Length) && program.has_kind(kind));
            }
        }
        assert!(
            bounded >= 50 && known >= 30,
            "{bounded} programs run on devices that hang, and read {known} numbers"
        );
        assert!(differ >= 6, "the ranks of {differ} programs differ");
        assert!(dropped >= 3, "{dropped} programs drop memory of a batch");
        assert!(
            processes >= 20,
            "the ranks of {processes} programs may be processes"
        );
        assert!(
            short.iter().all(|count| *count >= 3),
            "wrong lists: {short:?}"
        );
        let mut all = broken_by_scenes.iter().zip(OF_SCENES);
        assert!(
            all.all(|(count, (_, least))| *count >= least),
            "mistakes of several steps: {broken_by_scenes:?}"
        );
        assert!(
            repeated_elsewhere >= 5,
            "{repeated_elsewhere} first phases in another context"
        );
        assert!(found.len() >= 110, "{found:?}");
        assert!(rules.len() >= 28, "{rules:?}");
        let of_comms = [
            Rule::CommGone,
            Rule::CommBusy,
            Rule::CommHost,
            Rule::NullStream,
            Rule::RanksDiffer,
            Rule::RankMissing,
        ];
        let missing: Vec<_> = of_comms
            .iter()
            .filter(|rule| !rules.contains(rule))
            .collect();
        assert_eq!(missing, Vec::<&Rule>::new());
    }

    #[test]
    fn continuous_integration_meets_registered_memory_signals_and_values_on_both_sides() {
        for printed in [".lend_pinned(", " = signal(", " = counted("] {
            let (mut legal, mut illegal) = (0, 0);
            for program in programs(SEED, 0..COUNT) {
                let has = print(&program).contains(printed);
                let verdict = judge(&program);
                legal += usize::from(has && verdict.is_clean());
                illegal += usize::from(has && verdict.broken.is_some());
            }
            assert!(
                legal >= 5 && illegal >= 1,
                "{printed}: {legal} legal, {illegal} illegal"
            );
        }
    }

    /// What the programs of an area have on both sides of the border.
    struct Area {
        /// Steps of legal programs, and the least number of programs with each.
        legal: (&'static str, usize),
        /// Rules that illegal programs with some steps break, and the least number of programs for each.
        illegal: (&'static [(Rule, &'static str)], usize),
        /// A step, and the least number of numbers that legal programs with it read.
        known: (&'static str, usize),
        /// The least number of legal programs with that step that run on devices that hang.
        bounded: usize,
    }

    const AREAS: [Area; 6] = [
        Area {
            legal: ("CreatePool MallocFrom DestroyPool", 3),
            illegal: (
                &[
                    (Rule::PoolInUse, "MallocFrom"),
                    (Rule::PoolGone, "CreatePool"),
                    (Rule::DefaultAllocates, "MallocFrom"),
                    (Rule::Race, "MallocFrom"),
                    (Rule::MemoryGone, "MallocFrom"),
                    (Rule::PoolForgotten, "DestroyPool"),
                ],
                1,
            ),
            known: ("MallocFrom", 15),
            bounded: 3,
        },
        Area {
            legal: (
                "MapMem GrowFilled GrowCopied GrowFilledOn GrowCopiedOn ReadGrown ReadGrownOn WriteGrownOn Truncate UnmapMem",
                2,
            ),
            illegal: (
                &[
                    (Rule::Unwritten, "ReserveMem ReadTail"),
                    (Rule::FreedInUse, "ReserveMem UnmapMem"),
                    (Rule::FreedInUse, "ReserveMem Free"),
                    (Rule::Race, "ReserveMem ReadGrownOn"),
                    (Rule::TouchedInUse, "ReserveMem GrowFilledOn"),
                    (Rule::NotGrown, "ReserveMem ReadGrownOn"),
                ],
                1,
            ),
            known: ("ReserveMem", 15),
            bounded: 0,
        },
        // Counters, shares and settings.
        Area {
            legal: (
                "Count ResetCounter AwaitCount Export CloseExport ToDlpack RecordShared SynchronizeShared LimitCores WithCores SeeCores",
                2,
            ),
            illegal: (
                &[
                    (Rule::CounterGone, "CreateCounter"),
                    (Rule::CounterOfOther, "Count"),
                    (Rule::TouchedInUse, "Export"),
                    (Rule::ExportOpen, "Free"),
                    (Rule::OtherContext, "CloseExport"),
                    (Rule::Unwritten, "ToDlpack"),
                    (Rule::SetTooLate, "SetSize"),
                ],
                1,
            ),
            known: ("SeeCores", 15),
            bounded: 0,
        },
        Area {
            legal: ("FindKernel LaunchKernel Unload", 10),
            illegal: (
                &[
                    (Rule::BinaryGone, "LaunchKernel"),
                    (Rule::NoContext, "Unload"),
                    (Rule::Unwritten, "LaunchKernel"),
                    (Rule::KernelAlias, "LaunchKernel"),
                    (Rule::Race, "LaunchKernel"),
                    (Rule::KernelHost, "LaunchKernel"),
                    (Rule::KernelArguments, "LaunchKernel"),
                    (Rule::Length, "LaunchKernel"),
                ],
                2,
            ),
            known: ("LaunchKernel", 20),
            bounded: 5,
        },
        Area {
            legal: (
                "Capture CaptureFails Also LaunchGraph UpdateGraph FillPart ReadPart SeePart DestroyGraph",
                3,
            ),
            illegal: (
                &[
                    (Rule::Records, "Capture"),
                    (Rule::RecordedEscapes, "Capture"),
                    (Rule::Race, "Capture"),
                    (Rule::MemoryGone, "LaunchGraph"),
                    (Rule::FreedInUse, "LaunchGraph"),
                    (Rule::TouchedInUse, "LaunchGraph"),
                ],
                2,
            ),
            known: ("LaunchGraph", 20),
            bounded: 0,
        },
        // Futures and pipelines.
        Area {
            legal: (
                "AwaitSynchronized PollCompleted AwaitCompleted TryCompleted Push PushPanics Pop RunBatches",
                10,
            ),
            illegal: (
                &[
                    (Rule::TouchedInUse, "AwaitSynchronized"),
                    (Rule::NoContext, "AwaitSynchronized"),
                    (Rule::TouchedInUse, "AwaitCompleted"),
                    (Rule::Unverified, "AwaitCompleted"),
                    (Rule::TouchedInUse, "Compare"),
                    (Rule::LeaseEscapes, "Push"),
                ],
                2,
            ),
            known: ("Push", 0),
            bounded: 0,
        },
    ];

    #[test]
    fn continuous_integration_meets_each_area_on_both_sides() {
        let programs = programs(SEED, 0..COUNT).into_iter();
        let judged = programs.map(|program| (judge(&program), program));
        let (legal, illegal): (Vec<_>, Vec<_>) =
            judged.partition(|(verdict, _)| verdict.is_clean());
        let has = |program: &Program, kinds: &str| kinds.split(' ').all(|of| program.has_kind(of));
        for area in AREAS {
            for kind in area.legal.0.split(' ') {
                let with_it = legal.iter().filter(|(_, program)| has(program, kind));
                let count = with_it.count();
                assert!(count >= area.legal.1, "{count} legal programs with {kind}");
            }
            for (rule, kinds) in area.illegal.0 {
                let broken = illegal.iter().filter(|(of, _)| of.broken == Some(*rule));
                let count = broken.filter(|(_, program)| has(program, kinds)).count();
                assert!(count >= area.illegal.1, "{count} of {kinds} break {rule:?}");
            }
            let (kind, least) = area.known;
            let with_it = || legal.iter().filter(|(_, program)| has(program, kind));
            let read = with_it().flat_map(|(_, program)| numbers_read(program));
            let read = read.flatten().count();
            assert!(read >= least, "programs with {kind} read {read} numbers");
            let bounded = with_it().filter(|(of, program)| of.bounded && has(program, "Limit"));
            let bounded = bounded.count();
            assert!(
                bounded >= area.bounded,
                "{bounded} with {kind} on devices that hang"
            );
        }
        let kept = legal
            .iter()
            .filter(|(_, program)| has(program, "Abort TryCompleted"));
        let kept = kept.count();
        assert!(kept >= 5, "{kept} futures are kept over an abort");
        let results = legal.iter().flat_map(|(_, program)| expected(program).1);
        let results = results.flatten().flatten().count();
        assert!(results >= 200, "{results} results of batches are known");
    }
}
