//! Checks links between files of the repository. Links inside the site, and their anchors, are checked when
//! it is built.

use std::fs;
use std::path::{Path, PathBuf};

use super::{pages, root};

#[test]
fn links_lead_to_existing_files() {
    let others = ["README.md", "CONTRIBUTING.md", "CHANGELOG.md", "benches/README.md"];
    let files: Vec<PathBuf> = others.iter().map(|name| root().join(name)).chain(pages()).collect();
    let mut count = 0;
    for file in files {
        let text = fs::read_to_string(&file).expect("a page");
        for target in links(&text) {
            let path = target.split('#').next().unwrap_or("");
            let beside = file.parent().unwrap_or(Path::new("")).join(path);
            assert!(path.is_empty() || beside.exists(), "{}: `{target}` is not there", file.display());
            count += 1;
        }
    }
    assert!(count >= 30, "only {count} links");
}

/// The targets of links, outside code, except web links.
fn links(text: &str) -> Vec<&str> {
    let mut is_code = false;
    let prose = text.lines().filter(|line| {
        let is_fence = line.trim_start().starts_with("```");
        is_code ^= is_fence;
        !is_code && !is_fence
    });
    let targets = prose.flat_map(|line| line.split("](").skip(1).filter_map(|rest| rest.split(')').next()));
    targets.filter(|target| !target.contains("://")).collect()
}
