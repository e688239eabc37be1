//! The resources that are left at the end of the program, or of one of its devices.

use std::sync::Arc;

use crate::observe::strike;

use super::finding::{Found, Mistake};
use super::handles::{BRANCH, CONDITION, OBJECTS};
use super::model::Checker;
use super::site::Site;

/// What is left at the end that the checker does not follow.
#[derive(Debug)]
pub(crate) struct Left {
    /// Whether `aclFinalize` has come.
    pub(crate) is_finalised: bool,
    /// Devices that are set.
    pub(crate) devices: Vec<usize>,
    /// How many handles there are of which kind.
    pub(crate) objects: Vec<(&'static str, usize)>,
}

/// Why what is left is no mistake of the program's, if there is a reason. A program that never finalises
/// may mean to keep its handles to the end; one that does finalise may not.
pub(super) fn excuse(left: &Left) -> Option<&'static str> {
    if strike::has_struck() {
        Some("where calls were told to fail")
    } else if left.is_finalised {
        None
    } else {
        Some("without aclFinalize")
    }
}

/// What a device or a context takes along when it ends.
impl Checker {
    /// An allocation is about to end with its device.
    pub(super) fn left_block(&mut self, address: usize, site: &Arc<Site>) {
        if !self.left_to_reset {
            return;
        }
        let Some(block) = self.blocks.at(address) else {
            return;
        };
        let text = format!(
            "{} bytes at {address:#x} ({block}) were never freed, and end with {}",
            block.size,
            site.call()
        );
        let allocated = Arc::clone(&block.allocated);
        let sites = vec![("allocated", allocated), ("ended", Arc::clone(site))];
        self.find(Mistake::LeftToReset, text, sites);
    }

    /// A stream has ended with its context. Default streams have no end of their own.
    pub(crate) fn ended_with_context(&mut self, stream: usize, site: &Arc<Site>) {
        if self.left_to_reset
            && let Some(known) = self.handles.get(stream)
        {
            let text = format!(
                "stream {stream:#x} was never destroyed, and ends with {}",
                site.call()
            );
            let created = Arc::clone(&known.created);
            let sites = vec![("created", created), ("ended", Arc::clone(site))];
            self.find(Mistake::LeftToReset, text, sites);
        }
        self.destroyed(stream, site);
    }
}

/// What exists.
pub(super) fn look(checker: &Checker, others: &Left) -> Vec<Found> {
    let mut left = Vec::new();
    let mut add = |text, sites| {
        left.push(Found {
            mistake: Mistake::Leak,
            text,
            sites,
        });
    };
    for id in &others.devices {
        add(format!("device {id} was set and never reset"), Vec::new());
    }
    for (address, block) in checker.blocks.live() {
        let text = format!(
            "{} bytes at {address:#x} ({block}) were never freed",
            block.size
        );
        add(text, vec![("allocated", Arc::clone(&block.allocated))]);
    }
    for (handle, known) in checker.handles.live() {
        if [BRANCH, CONDITION].contains(&known.kind) {
            // The program cannot destroy it; what it belongs to is told.
            continue;
        }
        if OBJECTS.contains(&known.kind) {
            // Counted below.
            continue;
        }
        let text = format!("{} {handle:#x} was never destroyed", known.kind);
        add(text, vec![("created", Arc::clone(&known.created))]);
    }
    for (kind, count) in &others.objects {
        if *count > 0 {
            add(
                format!("{count} of {kind} were never destroyed"),
                Vec::new(),
            );
        }
    }
    left
}
