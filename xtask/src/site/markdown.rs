//! Reading the tables of `docs/`: rows of a Markdown table, and code in backticks.

/// The cells of each row below the header that begins with `first`. An empty list means that there is no such table.
pub(super) fn rows(text: &str, first: &str) -> Vec<Vec<String>> {
    let lines = text.lines().skip_while(|line| !line.starts_with(first));
    let rows = lines.skip(2).take_while(|line| line.starts_with('|'));
    let cells = |row: &str| {
        let row = row.trim().trim_start_matches('|').trim_end_matches('|');
        row.split(" | ")
            .map(|cell| cell.trim().to_owned())
            .collect()
    };
    rows.map(cells).collect()
}

/// All code of a text.
pub(super) fn codes(text: &str) -> Vec<String> {
    text.split('`')
        .skip(1)
        .step_by(2)
        .map(str::to_owned)
        .collect()
}

#[cfg(test)]
mod tests {
    use super::{codes, rows};

    #[test]
    fn a_table_ends_at_the_first_other_line() {
        let text = "# x\n\n| a | b |\n|---|---|\n| 1 | `two | 2` |\n|  | 4 |\n\n| a | b |\n";
        let cells = rows(text, "| a |");
        assert_eq!(cells, [vec!["1", "`two", "2`"], vec!["", "4"]]);
        assert!(rows(text, "| c |").is_empty());
        assert_eq!(codes("see `a/b`, `c/d`"), ["a/b", "c/d"]);
    }
}
