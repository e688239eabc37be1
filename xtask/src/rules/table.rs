//! The number of rules with each status, and the promises beside them.

use std::fmt::Write;

use super::ledger::{Row, Status};
use super::promises::Promise;

/// The counts by stage and by area, with all rules in the last line.
pub(super) fn rules(rows: &[Row]) -> String {
    let mut text = String::new();
    section(&mut text, "stage", groups(rows, |row| &row.stage));
    text.push('\n');
    section(&mut text, "area", groups(rows, |row| &row.area));
    text.push('\n');
    section(&mut text, "all", vec![("", rows.iter().collect())]);
    text
}

/// The promises, each with its number of cases.
pub(super) fn promises(promises: &[Promise]) -> String {
    let mut text = String::new();
    add(&mut text, format_args!("promise          cases\n"));
    for promise in promises {
        let (id, count) = (&promise.id, promise.cases.len());
        add(
            &mut text,
            format_args!("{id:<16} {count:>5}  {}\n", promise.promise),
        );
    }
    text
}

type Group<'a> = (&'a str, Vec<&'a Row>);

/// The rows with one key each, sorted by it.
fn groups<'a>(rows: &'a [Row], key: impl Fn(&'a Row) -> &'a String) -> Vec<Group<'a>> {
    let mut keys: Vec<&str> = rows.iter().map(|row| key(row).as_str()).collect();
    keys.sort_unstable();
    keys.dedup();
    let of_key = |name| rows.iter().filter(|row| key(row) == name).collect();
    keys.into_iter().map(|name| (name, of_key(name))).collect()
}

fn section(text: &mut String, name: &str, groups: Vec<Group<'_>>) {
    let mut head = format!("{name:<16} {:>5}", "rules");
    for status in Status::ALL {
        add(&mut head, format_args!("  {}", status.name()));
    }
    add(text, format_args!("{head}  T/C rejected\n"));
    for (name, rows) in groups {
        add(text, format_args!("{name:<16} {:>5}", rows.len()));
        for status in Status::ALL {
            let count = rows.iter().filter(|row| row.status == status).count();
            add(text, format_args!("  {count:>0$}", status.name().len()));
        }
        let of_types = rows.iter().filter(|row| row.is_static());
        let rejected = of_types.clone().filter(|r| r.status == Status::Rejected);
        let share = format!("{} of {}", rejected.count(), of_types.count());
        add(text, format_args!("  {share:>12}\n"));
    }
}

fn add(text: &mut String, what: std::fmt::Arguments<'_>) {
    // Writing to a string cannot fail.
    text.write_fmt(what).unwrap_or_default();
}

#[cfg(test)]
mod tests {
    use super::{promises, rules};
    use crate::rules::ledger::sample;
    use crate::rules::promises;

    #[test]
    fn rules_are_counted_by_stage_area_and_status() {
        let (rows, _) = sample(
            "D1,Device,T,1,,A rule,rejected,device/a,\n\
             D2,Device,R,1,,A rule,runtime,it::device::a,\n\
             S1,Stream,C,2,,A rule,open,,not built\n",
        );
        let expected = "\
stage            rules  rejected  permitted  unwritable  runtime  contract  open  T/C rejected
1                    2         1          0           0        1         0     0        1 of 1
2                    1         0          0           0        0         0     1        0 of 1

area             rules  rejected  permitted  unwritable  runtime  contract  open  T/C rejected
Device               2         1          0           0        1         0     0        1 of 1
Stream               1         0          0           0        0         0     1        0 of 1

all              rules  rejected  permitted  unwritable  runtime  contract  open  T/C rejected
                     3         1          0           0        1         0     1        1 of 2
";
        assert_eq!(rules(&rows), expected);
    }

    #[test]
    fn promises_are_listed_with_their_cases() {
        let of_sample = promises::sample(
            "P-clone,All,Nothing is cloned,freed twice,device/a;device/b\n\
             P-name,Device,A name is a type,mixed,device/c\n",
        );
        let expected = "\
promise          cases
P-clone              2  Nothing is cloned
P-name               1  A name is a type
";
        assert_eq!(promises(&of_sample), expected);
    }
}
