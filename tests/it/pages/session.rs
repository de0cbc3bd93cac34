//! Runs the commands of one page and compares what they print.

use std::fs;
use std::path::Path;
use std::process::Command;

const PROGRAM: &str = env!("CARGO_BIN_EXE_saltplan");

/// A line that matches any number of lines.
const ELLIPSIS: &str = "…";

/// The result of running a page.
pub struct Session {
    pub commands: usize,
    /// The page, corrected where the output differs.
    pub page: String,
    pub faults: Vec<String>,
}

/// A fenced code block.
#[derive(Debug)]
pub struct Block<'a> {
    pub language: &'a str,
    /// The name of the file to write the text to.
    pub title: Option<&'a str>,
    /// The expected exit code of the last command, from a comment above the block.
    exit: i32,
    /// The lines between the fences.
    pub text: &'a str,
    /// Where the block starts in the page, including its comment.
    start: usize,
    /// Where the opening fence starts.
    fence: usize,
    /// Where the text starts.
    body: usize,
}

/// The blocks of a page. Fences are not indented.
pub fn blocks(page: &str) -> Vec<Block<'_>> {
    let mut blocks = Vec::new();
    let mut at = 0;
    while let Some(opening) = find_fence(&page[at..]) {
        let fence = at + opening;
        let body = page[fence..].find('\n').map_or(page.len(), |end| fence + end + 1);
        let info = page[fence..body].trim().trim_start_matches('`');
        let length = find_fence(&page[body..]).expect("a closing fence");
        let title = info.split_once("title=\"").and_then(|(_, title)| title.split_once('"'));
        let above = page[at..fence].lines().next_back().unwrap_or("");
        let exit = above.strip_prefix("<!-- exit: ").and_then(|rest| rest.strip_suffix(" -->"));
        blocks.push(Block {
            language: info.split_whitespace().next().unwrap_or(""),
            title: title.map(|(title, _)| title),
            exit: exit.map_or(0, |code| code.parse().expect("an exit code")),
            text: &page[body..body + length],
            start: if exit.is_some() { fence - above.len() - 1 } else { fence },
            fence,
            body,
        });
        let closing = body + length;
        at = page[closing..].find('\n').map_or(page.len(), |end| closing + end + 1);
    }
    blocks
}

/// The start of the first line that starts with a fence.
fn find_fence(text: &str) -> Option<usize> {
    if text.starts_with("```") { Some(0) } else { text.find("\n```").map(|at| at + 1) }
}

impl Session {
    /// Runs the commands of a page in a new folder with the examples of the repository.
    pub fn run(page: &str) -> Session {
        let folder = tempfile::tempdir().expect("a folder");
        let at = folder.path();
        for folder in ["schemas", "examples"] {
            crate::help::copy(&crate::help::root().join(folder), &at.join(folder));
        }
        shell(
            at,
            "git init -qb main . && git add schemas && git -c user.name=a -c user.email=a@b commit -qm one",
        );
        let mut session = Session { commands: 0, page: String::new(), faults: Vec::new() };
        let mut done = 0;
        for block in blocks(page) {
            if let Some(name) = block.title {
                fs::write(at.join(name), block.text).expect("a file of the page");
            }
            if block.language == "console" {
                session.page.push_str(&page[done..block.start]);
                session.block(&block, &page[block.fence..block.body], at);
                done = block.body + block.text.len();
            }
        }
        session.page.push_str(&page[done..]);
        session
    }

    fn block(&mut self, block: &Block<'_>, opening: &str, at: &Path) {
        let steps = steps(block.text);
        let mut text = String::new();
        let mut last = 0;
        for (index, step) in steps.iter().enumerate() {
            self.commands += 1;
            let typed = step.typed.trim_end();
            let (printed, code) = shell(at, &step.command());
            last = code;
            let expected = if index + 1 == steps.len() { block.exit } else { 0 };
            if code != expected {
                self.faults.push(format!("`{typed}` exits with {code}, not {expected}"));
            }
            text.push_str(step.typed);
            let shown = step.printed.trim_end();
            let has_blank_end = step.printed.len() > shown.len() + usize::from(!shown.is_empty());
            let expected: Vec<&str> = shown.lines().collect();
            let printed: Vec<&str> = printed.trim_end().lines().collect();
            if has_blank_end || !is_like(&expected, &printed) {
                let whole: String = printed.iter().map(|line| format!("{line}\n")).collect();
                self.faults.push(format!("`{typed}` prints\n{whole}"));
                for line in corrected(&expected, &printed) {
                    text.push_str(line);
                    text.push('\n');
                }
            } else {
                text.push_str(step.printed);
            }
        }
        if last != 0 {
            self.page.push_str(&format!("<!-- exit: {last} -->\n"));
        }
        self.page.push_str(opening);
        self.page.push_str(&text);
    }
}

/// A command and its output.
struct Step<'a> {
    /// With the `$ ` and the lines that continue the command.
    typed: &'a str,
    printed: &'a str,
}

impl Step<'_> {
    fn command(&self) -> String {
        self.typed.lines().map(|line| line.trim_start_matches("$ ").to_string() + "\n").collect()
    }
}

fn steps(text: &str) -> Vec<Step<'_>> {
    let mut steps = Vec::new();
    let mut rest = text;
    assert!(rest.starts_with("$ "), "a console begins with a command: {text}");
    while !rest.is_empty() {
        let mut typed = 0;
        // A command continues after a backslash at the end of a line.
        for line in rest.split_inclusive('\n') {
            typed += line.len();
            if !line.trim_end().ends_with('\\') {
                break;
            }
        }
        let end = rest[typed - 1..].find("\n$ ").map_or(rest.len(), |at| typed + at);
        steps.push(Step { typed: &rest[..typed], printed: &rest[typed..end] });
        rest = &rest[end..];
    }
    steps
}

/// The combined output of a command (both streams), and its exit code. The parts of a pipe run at the same time,
/// so what they write to standard error comes last, whenever it was written.
fn shell(folder: &Path, line: &str) -> (String, i32) {
    let errors = if line.contains(" | ") { "" } else { "exec 2>&1\n" };
    let mut path = Path::new(PROGRAM).parent().expect("its folder").as_os_str().to_owned();
    path.push(":");
    path.push(std::env::var_os("PATH").unwrap_or_default());
    let output = Command::new("sh")
        .args(["-c", &format!("{errors}{line}")])
        .current_dir(folder)
        .env("PATH", path)
        .env("HOME", folder)
        .output()
        .expect("a shell");
    let printed = [output.stdout, output.stderr].concat();
    (String::from_utf8(printed).expect("text"), output.status.code().expect("no signal"))
}

/// Whether the printed lines are the expected ones. `…` matches any lines.
fn is_like(expected: &[&str], printed: &[&str]) -> bool {
    match (expected, printed) {
        ([], []) => true,
        ([line, further @ ..], _) if line.trim() == ELLIPSIS => {
            (0..=printed.len()).any(|from| is_like(further, &printed[from..]))
        }
        ([line, further @ ..], [found, rest @ ..]) => line == found && is_like(further, rest),
        _ => false,
    }
}

/// The printed lines, shortened in the same places as the expected ones: an alignment with as many equal
/// lines as possible, in which a differing line is rather a changed line than an omitted one.
fn corrected<'a>(expected: &[&'a str], printed: &[&'a str]) -> Vec<&'a str> {
    let is_ellipsis = |row: usize| expected[row].trim() == ELLIPSIS;
    let pair = |row: usize, column: usize| match expected[row] == printed[column] {
        true => 10,
        false => i32::from(!is_ellipsis(row)),
    };
    // The best score of `expected[row..]` with `printed[column..]`.
    let mut best = vec![vec![0; printed.len() + 1]; expected.len() + 1];
    for row in (0..expected.len()).rev() {
        for column in (0..=printed.len()).rev() {
            best[row][column] = best[row + 1][column];
            if column < printed.len() {
                let paired = best[row + 1][column + 1] + pair(row, column);
                best[row][column] = best[row][column].max(best[row][column + 1]).max(paired);
            }
        }
    }
    let mut lines = Vec::new();
    let (mut row, mut column) = (0, 0);
    while row < expected.len() {
        let is_paired = |column| best[row + 1][column + 1] + pair(row, column) == best[row][column];
        if is_ellipsis(row) {
            lines.push(expected[row]);
            while column < printed.len() && best[row][column + 1] == best[row][column] {
                column += 1;
            }
        } else if column < printed.len() && is_paired(column) {
            lines.push(printed[column]);
            column += 1;
        } else if best[row + 1][column] != best[row][column] {
            lines.push(printed[column]);
            column += 1;
            continue;
        }
        row += 1;
    }
    lines.extend(&printed[column..]);
    lines
}

#[test]
fn a_page_is_compared_and_corrected() {
    let page =
        "x\n\n<!-- exit: 3 -->\n```console\n$ echo a \\\n    b\na b\n$ seq 5; exit 3\n1\n…\n5\n```\n\ny\n";
    assert_eq!(Session::run(page).faults, Vec::<String>::new());
    assert_eq!(Session::run(page).page, page);
    for (from, to) in [
        (" -->\n", " --> \n"),
        ("exit: 3", "exit: 4"),
        ("\na b", "\na  b"),
        ("\na b", ""),
        ("5\n```", "5\n\n```"),
        ("1\n…", "1\n2"),
    ] {
        let changed = page.replace(from, to);
        assert_ne!(changed, page);
        assert!(!Session::run(&changed).faults.is_empty(), "{changed}");
    }
    assert_eq!(Session::run(&page.replace("\na b", "\na c").replace("\n5", "\n6")).page, page);
    assert_eq!(Session::run(&page.replace("exit: 3", "exit: 1")).page, page);
    assert_eq!(Session::run(&page.replace("<!-- exit: 3 -->\n", "")).page, page);
}

#[test]
fn corrections_stay_short() {
    let printed = ["a", "b", "c", "d", "e", "f"];
    assert_eq!(corrected(&["a", "…", "x", "d", "…"], &printed), ["a", "…", "c", "d", "…"]);
    assert_eq!(corrected(&["x", "…"], &printed), ["a", "…"]);
    assert_eq!(corrected(&["…", "f", "g"], &printed), ["…", "f"]);
    assert_eq!(corrected(&[], &printed), printed);
}
