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

/// A piece of a text: words or code.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Piece<'t> {
    Words(&'t str),
    Code(&'t str),
}

/// The pieces of a text with code in backticks.
pub(super) fn pieces(text: &str) -> Vec<Piece<'_>> {
    let pieces = text.split('`').enumerate().map(|(index, piece)| {
        if index % 2 == 0 {
            Piece::Words(piece)
        } else {
            Piece::Code(piece)
        }
    });
    let is_empty = |piece: &Piece<'_>| matches!(piece, Piece::Words(""));
    pieces.filter(|piece| !is_empty(piece)).collect()
}

/// All code of a text.
pub(super) fn codes(text: &str) -> Vec<String> {
    let codes = pieces(text).into_iter().filter_map(|piece| match piece {
        Piece::Code(code) => Some(code.to_owned()),
        Piece::Words(_) => None,
    });
    codes.collect()
}

#[cfg(test)]
mod tests {
    use super::{Piece, codes, pieces, rows};

    #[test]
    fn a_table_ends_at_the_first_other_line() {
        let text = "# x\n\n| a | b |\n|---|---|\n| 1 | `two | 2` |\n|  | 4 |\n\n| a | b |\n";
        let cells = rows(text, "| a |");
        assert_eq!(cells, [vec!["1", "`two", "2`"], vec!["", "4"]]);
        assert!(rows(text, "| c |").is_empty());
    }

    #[test]
    fn code_stands_in_backticks() {
        let expected = [Piece::Code("free"), Piece::Words(" consumes")];
        assert_eq!(pieces("`free` consumes"), expected);
        assert_eq!(codes("see `a/b`, `c/d`"), ["a/b", "c/d"]);
    }
}
