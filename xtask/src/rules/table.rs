//! The number of rules with each status, and the promises beside them.

use std::fmt::Write;

use super::ledger::{ALL, Row, Status};
use super::promises::Promise;

/// The counts by stage and by area, with all rules in the last line.
pub(super) fn rules(rows: &[Row]) -> String {
    let (mut text, none) = (String::new(), String::new());
    section(&mut text, "stage", rows, |row| &row.stage);
    text.push('\n');
    section(&mut text, "area", rows, |row| &row.area);
    text.push('\n');
    section(&mut text, "all", rows, |_| &none);
    text
}

/// The promises, each with its number of cases.
pub(super) fn promises(promises: &[Promise]) -> String {
    let line = |Promise {
                    id, promise, cases, ..
                }: &Promise| { format!("{id:<16} {:>5}  {promise}\n", cases.len()) };
    let lines: String = promises.iter().map(line).collect();
    format!("promise          cases\n{lines}")
}

/// A line for each key of the rows. Writing to a string cannot fail.
fn section<'a>(
    text: &mut String,
    name: &str,
    rows: &'a [Row],
    key: impl Fn(&'a Row) -> &'a String,
) {
    let mut keys: Vec<&String> = rows.iter().map(&key).collect();
    keys.sort_unstable();
    keys.dedup();
    let heads = ALL.map(|(_, name)| name).join("  ");
    let _ = writeln!(text, "{name:<16} {:>5}  {heads}  T/C rejected", "rules");
    for name in keys {
        let of_key = || rows.iter().filter(|row| key(row) == name);
        let _ = write!(text, "{name:<16} {:>5}", of_key().count());
        for (status, name) in ALL {
            let count = of_key().filter(|row| row.status == status).count();
            let _ = write!(text, "  {count:>0$}", name.len());
        }
        // A type or a constant can express them.
        let of_types = || of_key().filter(|row| row.class == "T" || row.class == "C");
        let rejected = of_types().filter(|row| row.status == Status::Rejected);
        let rejected = rejected.count();
        let _ = writeln!(
            text,
            "  {:>12}",
            format!("{rejected} of {}", of_types().count())
        );
    }
}

#[cfg(test)]
mod tests {
    use super::rules;
    use crate::rules::ledger::{HEADER, parse};

    #[test]
    fn rules_are_counted_by_stage_area_and_status() {
        let (rows, _) = parse(&format!(
            "{HEADER}\nD1,Device,T,1,,A rule,rejected,device/a,\n\
             D2,Device,R,1,,A rule,runtime,it::device::a,\nS1,Stream,C,2,,A rule,open,,not built\n",
        ));
        let expected = "\
area             rules  rejected  permitted  unwritable  runtime  contract  open  T/C rejected
Device               2         1          0           0        1         0     0        1 of 1
Stream               1         0          0           0        0         0     1        0 of 1

all              rules  rejected  permitted  unwritable  runtime  contract  open  T/C rejected
                     3         1          0           0        1         0     1        1 of 2
";
        assert!(rules(&rows).ends_with(expected), "{}", rules(&rows));
    }
}
