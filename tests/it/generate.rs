//! Shell completions and manual pages contain every command and every option.

use std::fs;
use std::process::Command;

use saltplan_law::expect::expect_file;

fn saltplan(arguments: &[&str]) -> String {
    let output = Command::new(env!("CARGO_BIN_EXE_saltplan")).args(arguments).output().expect("the command");
    assert!(output.status.success(), "{arguments:?}: {}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8(output.stdout).expect("text")
}

/// The first words of the lines in a section of a help text.
fn listed(help: &str, title: &str) -> Vec<String> {
    let part = help.lines().skip_while(|line| *line != title).skip(1).take_while(|line| !line.is_empty());
    let first_words = part.filter(|line| line.starts_with("  ") && !line.starts_with("   "));
    first_words.filter_map(|line| line.split_whitespace().next()).map(String::from).collect()
}

#[test]
fn a_manual_page_for_every_command() {
    let folder = tempfile::tempdir().expect("a folder");
    saltplan(&["generate", "man", folder.path().to_str().expect("a path")]);
    let commands = listed(&saltplan(&["--help"]), "Commands:");
    assert!(commands.len() > 10, "{commands:?}");
    for command in commands.iter().filter(|command| *command != "help") {
        let page = fs::read_to_string(folder.path().join(format!("saltplan-{command}.1")))
            .unwrap_or_else(|fault| panic!("{command}: {fault}"));
        let tells = page.contains("Examples") || page.contains(".SH SUBCOMMANDS");
        assert!(page.contains(".SH NAME") && tells, "{command}\n{page}");
    }
    assert!(folder.path().join("saltplan-key-encode.1").is_file());
    let plan = fs::read_to_string(folder.path().join("saltplan-plan.1")).expect("a page");
    assert!(plan.contains("allow\\-full\\-scan") && plan.contains("union_all"), "{plan}");
}

#[test]
fn the_reference_of_the_commands_is_current() {
    let text = saltplan(&["generate", "commands"]);
    expect_file("docs/commands.md", &text);
    assert!(text.contains("\n## key encode\n") && text.contains("`--max-branches N`"), "{text}");
}

#[test]
fn completions_know_every_command() {
    let commands = listed(&saltplan(&["--help"]), "Commands:");
    for shell in ["bash", "zsh", "fish", "powershell", "elvish"] {
        let script = saltplan(&["generate", "completions", shell]);
        for command in &commands {
            assert!(script.contains(command.as_str()), "{shell}: {command}");
        }
        assert!(script.contains("allow-full-scan"), "{shell}");
        // Codes of rules, in shells that complete values; elvish's script has no values.
        assert!(script.contains("SP201") || ["elvish", "powershell"].contains(&shell), "{shell}");
    }
}
