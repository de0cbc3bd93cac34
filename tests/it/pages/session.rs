//! One page, run.

use std::fs;
use std::path::Path;
use std::process::Command;

const PROGRAM: &str = env!("CARGO_BIN_EXE_saltplan");

/// What came of a page.
pub struct Session {
    pub commands: usize,
    /// The page with what is printed now, where it says something else.
    pub page: String,
    pub faults: Vec<String>,
}

/// A block of code.
#[derive(Debug)]
pub struct Block<'a> {
    pub language: &'a str,
    /// The name of the file that it is.
    pub title: Option<&'a str>,
    /// The lines between the fences.
    pub text: &'a str,
    /// Where that begins in the page.
    start: usize,
}

/// The blocks of a page, fences without indentation.
pub fn blocks(page: &str) -> Vec<Block<'_>> {
    let mut blocks = Vec::new();
    let mut rest = page;
    while let Some(opening) = find_fence(rest) {
        let line_end = rest[opening..].find('\n').map_or(rest.len(), |end| opening + end + 1);
        let info = rest[opening..line_end].trim().trim_start_matches('`');
        let body = &rest[line_end..];
        let length = find_fence(body).expect("a fence that closes the block");
        let title = info.split_once("title=\"").and_then(|(_, title)| title.split_once('"'));
        blocks.push(Block {
            language: info.split_whitespace().next().unwrap_or(""),
            title: title.map(|(title, _)| title),
            text: &body[..length],
            start: page.len() - body.len(),
        });
        rest = body[length..].split_once('\n').map_or("", |(_, rest)| rest);
    }
    blocks
}

/// Where a line begins with a fence.
fn find_fence(text: &str) -> Option<usize> {
    if text.starts_with("```") { Some(0) } else { text.find("\n```").map(|at| at + 1) }
}

impl Session {
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
                done = block.start + block.text.len();
                for step in steps(block.text) {
                    session.step(&step, at);
                }
            }
        }
        session.page.push_str(&page[done..]);
        session
    }

    fn step(&mut self, step: &Step<'_>, at: &Path) {
        self.commands += 1;
        let printed = shell(at, &step.command());
        self.page.push_str(step.typed);
        if is_like(step.printed.trim_end(), printed.trim_end()) {
            self.page.push_str(step.printed);
        } else {
            self.faults.push(format!("`{}` prints\n{printed}", step.typed.trim_end()));
            self.page.push_str(&printed);
        }
    }
}

/// A command and what it prints.
struct Step<'a> {
    /// With the `$ ` and the lines that go on.
    typed: &'a str,
    /// With the line of an exit code other than 0, `? 1`.
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
        // A line that ends with a backslash goes on, as in a shell.
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

/// What a terminal shows of a command: both streams, and the exit code if it is not 0.
fn shell(folder: &Path, line: &str) -> String {
    let mut path = Path::new(PROGRAM).parent().expect("its folder").as_os_str().to_owned();
    path.push(":");
    path.push(std::env::var_os("PATH").unwrap_or_default());
    let output = Command::new("sh")
        .args(["-c", &format!("exec 2>&1\n{line}")])
        .current_dir(folder)
        .env("PATH", path)
        .env("HOME", folder)
        .output()
        .expect("a shell");
    let printed = String::from_utf8(output.stdout).expect("text");
    match output.status.code() {
        Some(0) => printed,
        code => format!("? {}\n{printed}", code.expect("no signal")),
    }
}

/// Whether a text is what was expected, `...` and `[..]` being anything.
fn is_like(expected: &str, printed: &str) -> bool {
    let (expected, printed): (Vec<&str>, Vec<&str>) = (expected.lines().collect(), printed.lines().collect());
    are_like(&expected, &printed)
}

fn are_like(expected: &[&str], printed: &[&str]) -> bool {
    match (expected, printed) {
        ([], []) => true,
        (["...", further @ ..], _) => (0..=printed.len()).any(|from| are_like(further, &printed[from..])),
        ([line, further @ ..], [found, rest @ ..]) => is_line_like(line, found) && are_like(further, rest),
        _ => false,
    }
}

fn is_line_like(expected: &str, printed: &str) -> bool {
    let Some((start, further)) = expected.split_once("[..]") else { return expected == printed };
    let Some(rest) = printed.strip_prefix(start) else { return false };
    (0..=rest.len()).filter(|at| rest.is_char_boundary(*at)).any(|at| is_line_like(further, &rest[at..]))
}

#[test]
fn any_text_is_told_from_none() {
    assert!(is_like("a\n...\nb[..]c", "a\nx\ny\nb--c"));
    assert!(is_like("a\n...", "a"));
    assert!(!is_like("a\n...\nb", "a\nx"));
    assert!(!is_like("a[..]c", "a--d"));
    assert!(!is_like("", "a"));
    let page = "x\n```console\n$ a \\\n  b\none\n$ c\n```\n";
    let console = &blocks(page)[0];
    let found: Vec<(String, &str)> =
        steps(console.text).iter().map(|step| (step.command(), step.printed)).collect();
    assert_eq!(found, [("a \\\n  b\n".to_string(), "one\n"), ("c\n".to_string(), "")]);
}
