//! Whether each link of the site leads to one of its pages.

use std::collections::BTreeSet;

/// The links that lead nowhere, as `<page>: <link>`. A page is its path and its text.
pub(super) fn broken(pages: &[(String, String)]) -> Vec<String> {
    let paths: BTreeSet<&str> = pages.iter().map(|(path, _)| path.as_str()).collect();
    let mut broken = Vec::new();
    for (path, text) in pages {
        for link in text.split(" href=\"").skip(1) {
            let link = link.split('"').next().unwrap_or_default();
            let file = link.split('#').next().unwrap_or_default();
            if !file.is_empty() && !paths.contains(from(path, file).as_str()) {
                broken.push(format!("{path}: {link}"));
            }
        }
    }
    broken
}

/// The path of a relative link from the root of the site.
fn from(page: &str, link: &str) -> String {
    match (page.rsplit_once('/'), link.strip_prefix("../")) {
        (Some(_), Some(up)) => up.to_owned(),
        (Some((folder, _)), None) => format!("{folder}/{link}"),
        (None, _) => link.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::broken;

    #[test]
    fn a_link_to_no_page_is_found() {
        let page = |path: &str, text: &str| (path.to_owned(), text.to_owned());
        let pages = [
            page("a.html", "<a href=\"b/c.html#x\"><a href=\"d.html\">"),
            page(
                "b/c.html",
                "<a href=\"../a.html\"><a href=\"#y\"><a href=\"a.html\">",
            ),
        ];
        assert_eq!(broken(&pages), ["a.html: d.html", "b/c.html: a.html"]);
    }
}
