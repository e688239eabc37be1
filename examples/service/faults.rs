//! Failures that a seed draws, for the emulator.

use ascendcl::emulator::{ConfigError, EmulatorConfig, Fault};
use ascendcl::sys;

/// Adds failures to the configuration of the environment.
pub(crate) fn config(seed: u64) -> Result<EmulatorConfig, ConfigError> {
    let mut draw = Draw(seed);
    let lost = Fault::new("*", sys::ACL_ERROR_RT_LOST_HEARTBEAT)
        .from(draw.below(20_000) + 200)
        .heals_by_reset();
    let faults = [
        Fault::new("aclrtMemcpyAsync", sys::ACL_ERROR_RT_TS_ERROR)
            .in_task()
            .per_million(draw.rate(4_000)),
        Fault::new("aclnnAdd", sys::ACL_ERROR_RT_AICORE_EXCEPTION)
            .in_task()
            .per_million(draw.rate(4_000)),
        Fault::hang("aclnnAdd").per_million(draw.rate(2_000)),
        Fault::hang("aclrtMemcpyAsync").per_million(draw.rate(1_000)),
        Fault::new("aclrtMalloc", sys::ACL_ERROR_RT_MEMORY_ALLOCATION)
            .per_million(draw.rate(4_000)),
        Fault::new(
            "aclrtSynchronizeStreamWithTimeout",
            sys::ACL_ERROR_RT_HBM_MULTI_BIT_ECC_ERROR,
        )
        .per_million(draw.rate(2_000)),
        // An abort that leaves its stream aborted, and one that takes longer than the limit.
        Fault::half_abort(sys::ACL_ERROR_RT_DRV_INTERNAL_ERROR).at(draw.below(6) + 1),
        Fault::slow_abort(300).at(draw.below(6) + 1),
        lost,
    ];
    let config = EmulatorConfig::from_env()?.with_fault_seed(seed);
    Ok(faults.into_iter().fold(config, EmulatorConfig::with_fault))
}

/// Numbers that a seed determines (SplitMix64).
struct Draw(u64);

impl Draw {
    fn below(&mut self, bound: u64) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mixed = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        (mixed ^ (mixed >> 31)) % bound
    }

    /// A number of failures in a million. In every third schedule there are none of a kind.
    fn rate(&mut self, most: u32) -> u32 {
        match self.below(3) {
            0 => 0,
            _ => self.below(most.into()) as u32,
        }
    }
}
