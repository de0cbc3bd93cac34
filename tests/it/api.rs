//! The public API of saltplan-core and of saltplan-rewrite: the items of their public modules, with their fields and signatures.
//!
//! `tests/testdata/api.txt` and `api_rewrite.txt` list them, so that a change is visible in review. `BLESS=1 cargo test` rewrites
//! the lists. Types in signatures must be public as well, or belong to the standard library or `serde_json`.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::Path;

use quote::ToTokens;
use syn::visit::Visit;
use syn::{Attribute, Fields, File, ImplItem, Item, TraitItem, UseTree, Visibility};

use saltplan_law::expect::expect_file;

/// Types of the standard library, and of JSON, that signatures may name.
const FOREIGN: &[&str] = &[
    "Arc",
    "BTreeMap",
    "BTreeSet",
    "BufRead",
    "Box",
    "Debug",
    "Display",
    "Error",
    "ExactSizeIterator",
    "Fn",
    "Formatter",
    "Into",
    "IntoIterator",
    "Iterator",
    "Map",
    "Option",
    "Path",
    "PathBuf",
    "Range",
    "Result",
    "Send",
    "Self",
    "String",
    "Sync",
    "Vec",
    "Json",
];

/// Types of hidden modules of saltplan-core in signatures of saltplan-rewrite. Users pass them on or print them; what they may read
/// of them, a code, a message and a remedy, is in functions.
const OPAQUE: [&str; 4] = ["Part", "Refusal", "Remedy", "Runtime"];

/// The crates whose items saltplan-core exports, with the paths under which it names them.
const OF_CORE: [(&str, &str); 3] =
    [("saltplan-core", ""), ("saltplan-document", "saltplan_document"), ("saltplan-sql", "saltplan_sql")];

const OF_REWRITE: [(&str, &str); 1] = [("saltplan-rewrite", "")];

/// The files of some crates, by module path.
fn modules(crates: &[(&str, &str)]) -> BTreeMap<String, File> {
    fn walk(folder: &Path, module: &str, found: &mut BTreeMap<String, File>) {
        for entry in fs::read_dir(folder).expect("a folder").map(|entry| entry.expect("an entry").path()) {
            let stem = entry.file_stem().and_then(|stem| stem.to_str()).expect("a name");
            let inner = if module.is_empty() { stem.to_string() } else { format!("{module}::{stem}") };
            if entry.is_dir() {
                walk(&entry, &inner, found);
            } else if entry.extension().is_some_and(|extension| extension == "rs") {
                let is_root = stem == "mod" || stem == "lib" && !module.is_empty();
                let name = if is_root { module.to_string() } else { inner };
                let text = fs::read_to_string(&entry).expect("a file");
                found.insert(name, syn::parse_file(&text).expect("Rust"));
            }
        }
    }
    let mut found = BTreeMap::new();
    for (package, path) in crates {
        let source = Path::new(env!("CARGO_MANIFEST_DIR")).join("crates").join(package).join("src");
        walk(&source, path, &mut found);
    }
    found
}

/// A public item: where users find it, and the module in or below which it is defined.
#[derive(Debug)]
struct Promised {
    public: String,
    room: String,
    name: String,
}

/// Everything that `lib.rs` re-exports, except what is hidden.
fn promised(lib: &File) -> Vec<Promised> {
    fn uses(tree: &UseTree, path: &str, public: &str, found: &mut Vec<Promised>) {
        let mut add = |name: String, shown: String| {
            found.push(Promised { public: format!("{public}{shown}"), room: path.to_string(), name });
        };
        match tree {
            UseTree::Path(next) if next.ident == "crate" => {
                uses(&next.tree, path, public, found);
            }
            UseTree::Path(next) => {
                let path =
                    if path.is_empty() { next.ident.to_string() } else { format!("{path}::{}", next.ident) };
                uses(&next.tree, &path, public, found);
            }
            UseTree::Name(name) => add(name.ident.to_string(), name.ident.to_string()),
            UseTree::Rename(name) => add(name.ident.to_string(), name.rename.to_string()),
            UseTree::Group(group) => group.items.iter().for_each(|tree| uses(tree, path, public, found)),
            UseTree::Glob(_) => panic!("the library hands on whole modules"),
        }
    }
    fn items(list: &[Item], public: &str, found: &mut Vec<Promised>) {
        for item in list {
            match item {
                Item::Use(item) if is_public(&item.vis) && !is_hidden(&item.attrs) => {
                    uses(&item.tree, "", public, found);
                }
                Item::Mod(module) if is_public(&module.vis) && !is_hidden(&module.attrs) => {
                    let (_, content) = module.content.as_ref().expect("public modules are in lib.rs");
                    items(content, &format!("{public}{}::", module.ident), found);
                }
                _ => {}
            }
        }
    }
    let mut found = Vec::new();
    items(&lib.items, "", &mut found);
    found
}

fn is_public(visibility: &Visibility) -> bool {
    matches!(visibility, Visibility::Public(_))
}

fn is_hidden(attributes: &[Attribute]) -> bool {
    let docs = attributes.iter().filter(|attribute| attribute.path().is_ident("doc"));
    docs.filter_map(|attribute| attribute.meta.require_list().ok()).any(|list| tidy(&list.tokens) == "hidden")
}

/// Tokens formatted like source code.
fn tidy(tokens: &impl ToTokens) -> String {
    let mut text = tokens.to_token_stream().to_string();
    for (from, to) in [
        (" :: ", "::"),
        (" ::", "::"),
        (":: ", "::"),
        (" < ", "<"),
        (" <", "<"),
        ("< ", "<"),
        (" >", ">"),
        (" ,", ","),
        (" :", ":"),
        (" (", "("),
        ("( ", "("),
        (" )", ")"),
        ("& ", "&"),
        (" ;", ";"),
        ("[ ", "["),
        (" ]", "]"),
        ("- >", "->"),
        (">->", "> ->"),
        (",)", ")"),
        (">(", "> ("),
    ] {
        text = text.replace(from, to);
    }
    text.replace("->", " ->").replace("  ->", " ->").replace("impl(", "impl (")
}

/// The types that signatures mention.
#[derive(Default)]
struct Named(BTreeSet<String>);

impl<'ast> Visit<'ast> for Named {
    fn visit_type_path(&mut self, path: &'ast syn::TypePath) {
        self.0.extend(path.path.segments.last().map(|last| last.ident.to_string()));
        syn::visit::visit_type_path(self, path);
    }

    fn visit_trait_bound(&mut self, bound: &'ast syn::TraitBound) {
        self.0.extend(bound.path.segments.last().map(|last| last.ident.to_string()));
        syn::visit::visit_trait_bound(self, bound);
    }
}

/// The lines of one item, and the types that it mentions.
#[derive(Default)]
struct Listing {
    lines: Vec<String>,
    named: Named,
}

impl Listing {
    fn line(&mut self, text: String) {
        self.lines.push(text);
    }

    fn attributes(&self, attributes: &[Attribute]) -> String {
        let open = attributes.iter().any(|attribute| attribute.path().is_ident("non_exhaustive"));
        if open { "non-exhaustive ".to_string() } else { String::new() }
    }

    fn derives(&mut self, attributes: &[Attribute]) {
        let derives = attributes.iter().filter(|attribute| attribute.path().is_ident("derive"));
        let lists =
            derives.filter_map(|attribute| attribute.meta.require_list().ok().map(|list| tidy(&list.tokens)));
        let all = lists.collect::<Vec<_>>().join(", ");
        let mut names: Vec<&str> = all
            .split(", ")
            .map(|name| name.rsplit("::").next().unwrap_or(name))
            .filter(|name| !name.is_empty())
            .collect();
        names.sort_unstable();
        if !names.is_empty() {
            self.line(format!("  derives {}", names.join(", ")));
        }
    }

    fn fields(&mut self, fields: &Fields, of_variant: bool, indent: &str) {
        for (index, field) in fields.iter().enumerate() {
            if (of_variant || is_public(&field.vis)) && !is_hidden(&field.attrs) {
                self.named.visit_type(&field.ty);
                let name = field.ident.as_ref().map_or_else(|| index.to_string(), ToString::to_string);
                self.line(format!("{indent}{name}: {}", tidy(&field.ty)));
            }
        }
    }

    fn item(&mut self, public: &str, item: &Item) {
        match item {
            Item::Struct(item) => {
                self.line(format!("{}struct {public}{}", self.attributes(&item.attrs), tidy(&item.generics)));
                self.derives(&item.attrs);
                self.fields(&item.fields, false, "  ");
            }
            Item::Enum(item) => {
                self.line(format!("{}enum {public}{}", self.attributes(&item.attrs), tidy(&item.generics)));
                self.derives(&item.attrs);
                for variant in item.variants.iter().filter(|variant| !is_hidden(&variant.attrs)) {
                    self.line(format!("  {}", variant.ident));
                    self.fields(&variant.fields, true, "    ");
                }
            }
            Item::Trait(item) => {
                self.line(format!("trait {public}: {}", tidy(&item.supertraits)));
                for inner in &item.items {
                    if let TraitItem::Fn(function) = inner {
                        self.named.visit_signature(&function.sig);
                        self.line(format!("  {}", tidy(&function.sig)));
                    }
                }
            }
            Item::Fn(item) => {
                self.named.visit_signature(&item.sig);
                let signature = tidy(&item.sig).replacen(&item.sig.ident.to_string(), public, 1);
                self.line(signature);
            }
            Item::Const(item) => {
                self.named.visit_type(&item.ty);
                self.line(format!("const {public}: {}", tidy(&item.ty)));
            }
            Item::Type(item) => {
                self.named.visit_type(&item.ty);
                self.line(format!("type {public} = {}", tidy(&item.ty)));
            }
            other => panic!("{public}: {}", tidy(other)),
        }
    }

    fn implementation(&mut self, item: &syn::ItemImpl) {
        if let Some((_, of, _)) = &item.trait_ {
            return self.line(format!("  impl {}", tidy(of)));
        }
        for inner in &item.items {
            match inner {
                ImplItem::Fn(function) if is_public(&function.vis) && !is_hidden(&function.attrs) => {
                    self.named.visit_signature(&function.sig);
                    self.line(format!("  {}", tidy(&function.sig)));
                }
                ImplItem::Const(constant) if is_public(&constant.vis) && !is_hidden(&constant.attrs) => {
                    self.named.visit_type(&constant.ty);
                    self.line(format!("  const {}: {}", constant.ident, tidy(&constant.ty)));
                }
                _ => {}
            }
        }
    }
}

fn ident_of(item: &Item) -> Option<String> {
    let ident = match item {
        Item::Struct(item) => &item.ident,
        Item::Enum(item) => &item.ident,
        Item::Trait(item) => &item.ident,
        Item::Fn(item) => &item.sig.ident,
        Item::Const(item) => &item.ident,
        Item::Type(item) => &item.ident,
        _ => return None,
    };
    Some(ident.to_string())
}

fn visibility_of(item: &Item) -> &Visibility {
    match item {
        Item::Struct(item) => &item.vis,
        Item::Enum(item) => &item.vis,
        Item::Trait(item) => &item.vis,
        Item::Fn(item) => &item.vis,
        Item::Const(item) => &item.vis,
        Item::Type(item) => &item.vis,
        _ => &Visibility::Inherited,
    }
}

/// The whole list of the first of some crates, and types in signatures that are neither public nor of `others`.
fn listing(crates: &[(&str, &str)], others: &[Promised]) -> (String, Vec<String>) {
    let modules = modules(crates);
    let promised = promised(&modules["lib"]);
    let names = promised.iter().chain(others).map(|item| item.name.as_str());
    let opaque = OPAQUE.iter().filter(|_| !others.is_empty()).copied();
    let known: BTreeSet<&str> = names.chain(FOREIGN.iter().copied()).chain(opaque).collect();
    let mut blocks: Vec<String> = Vec::new();
    let mut strange = Vec::new();
    for Promised { public, room, name } in &promised {
        let mut listing = Listing::default();
        let in_room = |module: &str| module == room || module.starts_with(&format!("{room}::"));
        let defined: Vec<(&String, &Item)> = modules
            .iter()
            .filter(|(module, _)| in_room(module))
            .flat_map(|(module, file)| file.items.iter().map(move |item| (module, item)))
            .filter(|(_, item)| is_public(visibility_of(item)) && ident_of(item).as_ref() == Some(name))
            .collect();
        let [(home, item)] = defined[..] else {
            panic!("{public} of {room}: {} definitions", defined.len());
        };
        listing.item(public, item);
        // Other modules have types with the same name, so the item's own module and those in it are searched.
        let is_alone = modules
            .values()
            .flat_map(|file| &file.items)
            .filter(|item| ident_of(item).as_ref() == Some(name))
            .count()
            == 1;
        let of_item = |module: &str| is_alone || module == home || module.starts_with(&format!("{home}::"));
        for item in modules.iter().filter(|(module, _)| of_item(module)).flat_map(|(_, file)| &file.items) {
            let Item::Impl(item) = item else { continue };
            if is_hidden(&item.attrs) {
                continue;
            }
            let syn::Type::Path(of) = &*item.self_ty else { continue };
            if of.path.segments.last().is_some_and(|last| last.ident == name) {
                listing.implementation(item);
            }
        }
        let is_known = |found: &String| {
            known.contains(found.as_str()) || found.len() == 1 || found.starts_with(char::is_lowercase)
        };
        strange.extend(
            listing
                .named
                .0
                .iter()
                .filter(|found| !is_known(found))
                .map(|found| format!("{found} in {public}")),
        );
        blocks.push(listing.lines.join("\n"));
    }
    blocks.sort();
    (blocks.join("\n\n") + "\n", strange)
}

#[test]
fn the_public_api_is_listed() {
    let of_core = promised(&modules(&OF_CORE)["lib"]);
    for (crates, others, file) in [
        (&OF_CORE[..], &[][..], "tests/testdata/api.txt"),
        (&OF_REWRITE[..], &of_core[..], "tests/testdata/api_rewrite.txt"),
    ] {
        let (text, strange) = listing(crates, others);
        expect_file(file, &text);
        assert_eq!(strange, Vec::<String>::new(), "types in signatures that are not promised");
    }
}
