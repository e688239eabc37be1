//! Steps with counters, with what a process shares, and with settings, as Rust.

use super::Printer;
use crate::program::{ACL, Op, Step};

impl Printer {
    /// A step with one of them.
    pub(super) fn signals(&mut self, step: &Step) -> String {
        let of = |index: usize| step.of.get(index).copied().unwrap_or(ACL);
        let (a, b, x) = (of(0), of(1), step.to.first().copied().unwrap_or(ACL));
        match step.op {
            Op::CreateCounter => format!("let mut {x} = {a}.create_cnt_notify()?;"),
            Op::Count => {
                format!("{a}.cnt_notify_record(&{b}, CntNotifyRecord::Add(number(1)))?;")
            }
            Op::ResetCounter => format!("{a}.cnt_notify_reset(&{b})?;"),
            Op::AwaitCount { number } => {
                let until = format!("CntNotifyWait::BiggerOrEqual(number({number}))");
                format!("{a}.cnt_notify_wait(&{b}, {until})?;")
            }
            Op::Export => format!("let mut {x} = {a}.export_memory({b}, Importers::Any)?;"),
            Op::CloseExport => format!("let mut {x} = {b}.close({a})?;"),
            Op::ToDlpack => {
                self.line(&format!("let all = {b}.len();"));
                format!("let mut {x} = {a}.to_dlpack({b}, &[all])?;")
            }
            Op::CreateShared => format!("let mut {x} = {a}.create_shared_event()?;"),
            Op::RecordShared => format!("{b}.record({})?;", self.exclusive(a)),
            Op::SynchronizeShared => format!("{a}.synchronize_within(limit())?;"),
            Op::SetSize => {
                self.line(&format!(
                    "{a}.set_device_limit(DeviceLimit::SimdStackSize, 64 << 10)?;"
                ));
                format!("let host = {a}.host()?;")
            }
            Op::LimitCores { cores } => {
                format!("{a}.set_res_limit(CoreKind::Vector, {cores})?;")
            }
            _ => {
                let found = format!("{a}.res_limit(CoreKind::Vector)?");
                match self.numbers.next().flatten() {
                    Some(number) => format!("read({found} as i32, {number});"),
                    None => format!("black_box({found});"),
                }
            }
        }
    }
}
