//! One word names an area in every tree: an area of `src/` has integration tests of that name.

use ui_tests::area::AREAS;

use super::Finding;
use crate::files::File;

pub(super) fn check(files: &[File]) -> Vec<Finding> {
    let has = |tree: &str, area: &str| {
        let (file, folder) = (format!("{tree}/{area}.rs"), format!("{tree}/{area}/"));
        files
            .iter()
            .any(|f| f.path == file || f.path.starts_with(&folder))
    };
    AREAS
        .iter()
        .filter(|area| has("src", area) && !has("tests/it", area))
        .map(|area| {
            Finding::new(
                &format!("tests/it/{area}.rs"),
                1,
                format!("`{area}` has no tests"),
            )
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::check;
    use crate::files::File;

    #[test]
    fn an_area_without_tests_is_found() {
        let of = |paths: &[&str]| -> Vec<File> {
            paths.iter().map(|path| File::sample(path, "")).collect()
        };
        assert_eq!(check(&of(&["src/stream.rs", "tests/it/stream.rs"])), []);
        assert_eq!(
            check(&of(&["src/memory/mod.rs", "tests/it/memory/copy.rs"])),
            []
        );
        assert_eq!(check(&of(&["src/error.rs"])), [], "not an area");
        assert_eq!(
            check(&of(&["src/stream.rs", "tests/it/streams.rs"])).len(),
            1
        );
    }
}
