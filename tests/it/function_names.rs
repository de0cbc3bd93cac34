//! What a function of Hive is, only its record in `saltplan-sql/src/functions/` says: no other source file has the name of one as a text
//! literal, whole or as the start of a call. `testdata/function_names.txt` lists the files in which such a word is something else, with what it is there.
//!
//! The law is the judge of the catalogue and does not use it; tests may name functions.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};

use proc_macro2::{TokenStream, TokenTree};
use quote::ToTokens;
use saltplan_law::sample::{is_sampled, sampled};
use saltplan_sql::functions::Function;
use syn::{Attribute, Item, LitStr};

/// Words of the grammar of conditions. Hive registers their operators as functions, but no call has their names.
const OF_GRAMMAR: [&str; 11] =
    ["and", "between", "case", "div", "in", "like", "not", "or", "regexp", "rlike", "when"];

/// Folders whose files are not looked at.
const OTHERS: [&str; 3] =
    ["crates/saltplan-law", "crates/saltplan-sql/src/functions", "crates/saltplan-sql/src/random.rs"];

#[test]
fn names_of_functions_stand_in_the_catalogue() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let listed = exceptions();
    let mut found = BTreeMap::<String, BTreeSet<String>>::new();
    let mut looked_at = BTreeSet::new();
    for path in sampled(sources(root), 3) {
        let file = path.strip_prefix(root).expect("below the root").to_string_lossy().replace('\\', "/");
        looked_at.insert(file.clone());
        let words = words_in(&fs::read_to_string(&path).expect("a source file"), &file);
        if !words.is_empty() {
            found.insert(file, words);
        }
    }
    let mut faults = Vec::new();
    // Where only some files are looked at, a listed file may be one of the others.
    let is_whole = !is_sampled();
    for (file, words) in &found {
        let known = listed.get(file.as_str()).cloned().unwrap_or_default();
        for word in words.iter().filter(|word| !known.contains(word.as_str())) {
            faults.push(format!("{file}: \"{word}\" is a function of Hive"));
        }
    }
    for (file, words) in listed.iter().filter(|(file, _)| is_whole || looked_at.contains(**file)) {
        let has = |word: &str| found.get(*file).is_some_and(|words| words.contains(word));
        faults.extend(words.iter().filter(|word| !has(word)).map(|word| format!("{file} has no \"{word}\"")));
    }
    assert!(
        faults.is_empty(),
        "{}\nAsk the record for a property, or name its static; if the word is none of Hive's functions here, write into \
         tests/testdata/function_names.txt what it is.",
        faults.join("\n")
    );
}

#[test]
fn literals_are_found_everywhere() {
    let source = r#"
        //! "year"
        /// "month"
        fn name(of: &str) -> bool { matches!(of, "day" | r"hour") && format!("minute") != *"a\x62s" }
        const LIST: [&str; 3] = ["second", "no function", "hex({})"];
        #[cfg(test)]
        mod tests { const NAME: &str = "quarter"; }
    "#;
    let words = ["abs", "day", "hex", "hour", "minute", "second"].map(String::from);
    assert_eq!(words_in(source, "a source"), BTreeSet::from(words));
}

/// The words of each file that are no functions there.
fn exceptions() -> BTreeMap<&'static str, BTreeSet<&'static str>> {
    let lines = include_str!("../testdata/function_names.txt").lines();
    let mut listed = BTreeMap::new();
    for line in lines.filter(|line| !line.is_empty() && !line.starts_with('#')) {
        let (file, rest) = line.split_once(": ").expect(line);
        let (words, reason) = rest.split_once(" -- ").expect(line);
        assert!(reason.contains(' '), "{line}: say what the words are");
        assert!(listed.insert(file, words.split(' ').collect()).is_none(), "{file} stands twice");
    }
    listed
}

/// The source files of the program, without those of tests.
fn sources(root: &Path) -> Vec<PathBuf> {
    let crates = fs::read_dir(root.join("crates")).expect("packages");
    let mut left: Vec<PathBuf> = crates.map(|entry| entry.expect("a package").path().join("src")).collect();
    left.push(root.join("src"));
    let mut found = vec![root.join("build.rs")];
    while let Some(folder) = left.pop() {
        for entry in fs::read_dir(&folder).expect("a folder of sources") {
            let path = entry.expect("an entry").path();
            if OTHERS.iter().any(|other| path.starts_with(root.join(other))) {
                continue;
            }
            if path.is_dir() {
                left.extend((!path.ends_with("tests")).then_some(path));
            } else if path.extension().is_some_and(|of| of == "rs") && !path.ends_with("tests.rs") {
                found.push(path);
            }
        }
    }
    found
}

/// The text literals of a source file, outside its tests, that are names of functions.
fn words_in(source: &str, file: &str) -> BTreeSet<String> {
    let parsed = syn::parse_file(source).unwrap_or_else(|error| panic!("{file}: {error}"));
    let mut texts = BTreeSet::new();
    for item in parsed.items.iter().filter(|item| !is_test(item)) {
        gather(item.to_token_stream(), &mut texts);
    }
    // Hive registers operators as functions, too.
    let is_name =
        |word: &str| word.starts_with(|c: char| c.is_ascii_alphabetic()) && !OF_GRAMMAR.contains(&word);
    let is_function = |word: &str| Function::named(word).is_some() && is_name(word);
    // Whole texts, and calls such as `hex(x)`.
    let names = texts.iter().map(|text| text.split_once('(').map_or(text.as_str(), |(name, _)| name));
    names.filter(|name| is_function(name)).map(String::from).collect()
}

/// The text literals among tokens.
fn gather(tokens: TokenStream, texts: &mut BTreeSet<String>) {
    for tree in tokens {
        match tree {
            TokenTree::Group(group) => gather(group.stream(), texts),
            TokenTree::Literal(literal) => {
                texts.extend(syn::parse_str::<LitStr>(&literal.to_string()).ok().map(|text| text.value()));
            }
            TokenTree::Ident(_) | TokenTree::Punct(_) => {}
        }
    }
}

fn is_test(item: &Item) -> bool {
    let attributes: &[Attribute] = match item {
        Item::Const(item) => &item.attrs,
        Item::Fn(item) => &item.attrs,
        Item::Impl(item) => &item.attrs,
        Item::Mod(item) => &item.attrs,
        Item::Static(item) => &item.attrs,
        Item::Use(item) => &item.attrs,
        _ => &[],
    };
    attributes.iter().any(|attribute| {
        attribute.path().is_ident("cfg") && attribute.meta.to_token_stream().to_string().contains("test")
    })
}
