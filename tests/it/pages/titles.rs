//! A page has one title: its first heading, which the menu and the tables of the first pages use.

use std::fs;

use super::{pages, root, session};

/// The first heading of a page, without backquotes.
fn title(page: &str) -> String {
    page.lines().find_map(|line| line.strip_prefix("# ")).expect("a heading").replace('`', "")
}

/// An entry without a title of its own shows that of its page.
#[test]
fn the_menu_has_the_titles_of_the_pages() {
    let settings = fs::read_to_string(root().join("mkdocs.yml")).expect("the settings of the site");
    let (_, menu) = settings.split_once("\nnav:\n").expect("a menu");
    let entries: Vec<&str> = menu.lines().filter(|line| line.contains(".md")).collect();
    assert!(entries.len() > 30, "only {} entries", entries.len());
    for entry in entries.into_iter().filter(|entry| *entry != "  - Home: index.md") {
        assert!(!entry.contains(": "), "{entry}: write the title in the page");
    }
}

#[test]
fn the_first_pages_link_to_pages_by_their_titles() {
    for (path, folder) in [("README.md", "."), ("docs/index.md", "docs")] {
        let page = fs::read_to_string(root().join(path)).expect("a page");
        let (_, table) = page.split_once("\n| you have | read |\n").expect("a table of pages");
        let rows = table.lines().take_while(|line| line.starts_with('|'));
        let mut count = 0;
        for link in rows.flat_map(|row| row.split('[').skip(1)) {
            let (text, rest) = link.split_once("](").expect("a link");
            let (target, _) = rest.split_once(')').expect("a target");
            let linked = fs::read_to_string(root().join(folder).join(target)).expect("a page");
            assert_eq!(text, title(&linked), "{path}: {target}");
            count += 1;
        }
        assert!(count >= 12, "{path}: only {count} links");
    }
}

/// A command in the text, outside of the blocks that are run, names only files that a reader has.
#[test]
fn files_of_commands_in_the_text_are_there() {
    for path in pages() {
        let page = fs::read_to_string(&path).expect("a page");
        let titles: Vec<&str> = session::blocks(&page).iter().filter_map(|block| block.title).collect();
        let spans = page.split('`').filter(|span| span.starts_with("saltplan ") && !span.contains('\n'));
        for file in spans.flat_map(str::split_whitespace).filter(|word| word.contains(".yaml")) {
            let has_folder = file.contains('/');
            let is_there = root().join(file).exists() || titles.contains(&file);
            assert!(is_there || !has_folder, "{}: there is no `{file}`", path.display());
        }
    }
}
