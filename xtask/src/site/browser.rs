//! The test of the site in a browser: links, widths, the search and the filters, and errors of scripts.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use serde_json::json;

use crate::error::Error;
use crate::output::say;

/// The names of the browser. All of them take the same options.
const BROWSERS: [&str; 3] = ["chromium", "chromium-browser", "google-chrome"];

/// Opens the pages `pages` of the site in the folder `site`. Without a browser nothing is tested.
pub(super) fn test(site: &Path, scratch: &Path, pages: &[&str]) -> Result<(), Error> {
    let Some(browser) = BROWSERS.into_iter().find(|name| is_there(name)) else {
        println!(
            "\n*** site: NOT TESTED: no Chromium is here, and no page was opened. Install it with `apt install \
             chromium`. ***\n"
        );
        return Ok(());
    };
    let address = |path: &Path| format!("file://{}", path.display());
    let driver = driver(&format!("{}/", address(site)), pages);
    let path = scratch.join("test.html");
    let written = fs::create_dir_all(scratch).and_then(|()| fs::write(&path, driver));
    written.map_err(|error| failed(&format!("cannot write {}: {error}", path.display())))?;

    let output = Command::new(browser)
        .args(["--headless", "--disable-gpu", "--no-first-run"])
        // The sandbox does not start in a container, and the pages are those of this repository.
        .arg("--no-sandbox")
        // The test reads the pages, which are files as itself is.
        .args(["--allow-file-access-from-files", "--enable-logging=stderr"])
        .arg(format!("--user-data-dir={}", profile(scratch).display()))
        .arg("--dump-dom")
        .arg(address(&path))
        .stdin(Stdio::null())
        .output()
        .map_err(|error| failed(&format!("{browser} does not start: {error}")))?;
    let printed = String::from_utf8_lossy(&output.stdout);
    let log = String::from_utf8_lossy(&output.stderr);
    match faults(&printed, &log, pages.len()) {
        Ok(()) => {
            let count = pages.len();
            say(&format!(
                "site: {browser} has opened {count} pages at three widths, and all is well\n"
            ));
            Ok(())
        }
        Err(faults) => Err(failed(&format!(
            "{browser} has found:\n{}",
            faults.join("\n")
        ))),
    }
}

/// The page that opens all others, and prints what is wrong with them.
fn driver(site: &str, pages: &[&str]) -> String {
    let (site, pages) = (json!(site), json!(pages));
    let script = include_str!("test.js");
    format!(
        "<!DOCTYPE html><meta charset=\"utf-8\"><body><script>\nconst site = {site};\nconst pages = {pages};\n\
         {script}</script></body>\n"
    )
}

/// What is wrong, by the page that the browser has printed and by its log, after a test of `count` pages.
fn faults(printed: &str, log: &str, count: usize) -> Result<(), Vec<String>> {
    let mut faults: Vec<String> = log
        .lines()
        .filter(|line| line.contains(":CONSOLE"))
        .map(|line| format!("a script: {line}"))
        .collect();
    let result = printed.split_once("<pre id=\"result\">");
    let result = result.and_then(|(_, rest)| rest.split_once("</pre>"));
    match result {
        Some((lines, _)) => {
            let mut lines = lines.lines();
            let opened = lines.next().unwrap_or_default();
            if opened != format!("opened {count} of {count}") {
                faults.push(opened.to_owned());
            }
            faults.extend(lines.map(str::to_owned));
        }
        None => faults.push(format!(
            "the test has not ended; the log of the browser:\n{log}"
        )),
    }
    if faults.is_empty() {
        Ok(())
    } else {
        Err(faults)
    }
}

/// A folder for the settings of the browser, so that it uses none of the user.
fn profile(scratch: &Path) -> PathBuf {
    scratch.join("browser")
}

fn is_there(name: &str) -> bool {
    let mut command = Command::new(name);
    let run = command
        .arg("--version")
        .stdout(Stdio::null())
        .stderr(Stdio::null());
    run.status().is_ok_and(|status| status.success())
}

fn failed(what: &str) -> Error {
    Error::Failed(format!("site: {what}"))
}

#[cfg(test)]
mod tests {
    use super::{driver, faults};

    #[test]
    fn a_fault_of_a_page_or_of_a_script_is_found() {
        let page =
            |lines: &str| format!("<html><body><pre id=\"result\">{lines}</pre></body></html>");
        let well = page("opened 2 of 2");
        assert_eq!(faults(&well, "[1:INFO] started", 2), Ok(()));
        let found = |printed: &str, log: &str| faults(printed, log, 2).err().unwrap_or_default();
        assert_eq!(
            found(&page("opened 2 of 2\na.html: wide"), ""),
            ["a.html: wide"]
        );
        assert_eq!(found(&page("opened 1 of 2"), ""), ["opened 1 of 2"]);
        let log = "[1:2:INFO:CONSOLE(3)] \"Uncaught ReferenceError\", source: a.html (3)";
        assert_eq!(found(&well, log), [format!("a script: {log}")]);
        assert_eq!(found("<html></html>", "it has died").len(), 1);
    }

    #[test]
    fn the_driver_names_the_pages() {
        let text = driver("file:///a/", &["b.html"]);
        assert!(
            text.contains("const site = \"file:///a/\";\nconst pages = [\"b.html\"];"),
            "{text}"
        );
    }
}
