//! Devices that hang, that are lost, and that abort late or not at all: random faults for programs in which each wait has a
//! limit.

use crate::random::Random;
use crate::run::Setting;

/// The functions whose tasks hang.
const HANG: [&str; 5] = [
    "aclrtMemcpyAsync",
    "aclrtMemcpyAsync",
    "aclrtMemsetAsync",
    "aclnnAdd",
    "aclrtLaunchKernelWithHostArgs",
];

/// The tasks that hang: the first of the function, and so on.
const WHICH: [&str; 5] = ["#1", "#2", "#3", "#1+", "%40"];

/// What happens to an abort. It is slow for longer than its limit, and in the end it returns.
const ABORT: [&str; 8] = [
    "",
    "",
    "",
    "",
    ",slow:aclrtStreamAbort=200",
    ",half:aclrtStreamAbort=507899",
    ",aclrtStreamAbort#1=507899",
    ",aclrtStreamAbort#1+=207000",
];

/// The milliseconds of a limit. A wait whose work cannot go on exceeds each limit at once; only an abort takes its time.
const LIMIT: u32 = 20;

/// The ways in which a bounded program runs on devices that fail.
pub(crate) fn settings(seed: u64) -> Vec<Setting> {
    let mut random = Random::new(seed, 0);
    let mut all = Vec::new();
    for turn in 0..4 {
        let faults = if turn == 3 {
            lost(&mut random)
        } else {
            hang(&mut random)
        };
        let schedule = match random.below(3) {
            0 => "eager".to_owned(),
            1 => "lazy".to_owned(),
            _ => format!("seeded:{}", random.below(1000)),
        };
        all.push(Setting {
            schedule,
            faults,
            fault_seed: seed % 100_000,
            limit: Some(LIMIT),
            ..Setting::default()
        });
    }
    all
}

fn hang(random: &mut Random) -> String {
    let mut any = |words: &[&'static str]| random.pick(words).copied().unwrap_or_default();
    format!("hang:{}{}{}", any(&HANG), any(&WHICH), any(&ABORT))
}

/// A device that is lost at one of the first calls, and is there again after some calls, or after its reset. Or a wait that
/// returns a broken memory or link.
fn lost(random: &mut Random) -> String {
    let call = 5 + random.below(60);
    match random.below(5) {
        0 => format!("device-lost#{call}~20"),
        1 => "memory-error".to_owned(),
        2 => format!("hang:aclrtMemcpyAsync#1,device-lost#{call}~reset"),
        _ => format!("device-lost#{call}~reset"),
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::settings;

    #[test]
    fn all_kinds_of_faults_are_drawn() {
        let all = (0..200).flat_map(settings).map(|setting| setting.faults);
        let all: BTreeSet<String> = all.collect();
        let has = |word: &str| all.iter().any(|faults| faults.contains(word));
        for word in [
            "hang:",
            "slow:",
            "half:",
            "207000",
            "~reset",
            "~20",
            "memory-error",
        ] {
            assert!(has(word), "{word}");
        }
    }
}
