//! What every package of the workspace holds beside its code.

use std::fs;
use std::path::Path;

/// A published package has only the files of its own folder, and a link is no licence on a system without links.
#[test]
fn every_package_has_the_licences() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let mut packages = 0;
    for package in fs::read_dir(root.join("crates")).expect("a folder") {
        let package = package.expect("a package").path();
        packages += 1;
        for name in ["LICENSE-APACHE", "LICENSE-MIT"] {
            let own = package.join(name);
            assert!(
                own.symlink_metadata().is_ok_and(|found| found.is_file()),
                "{} is no file",
                own.display()
            );
            assert_eq!(
                fs::read(&own).expect("a file"),
                fs::read(root.join(name)).expect("a file"),
                "{}",
                own.display()
            );
        }
    }
    assert!(packages > 5, "{packages}");
}

/// The jar for Hive takes answers of its own version of saltplan only.
#[test]
fn the_jar_expects_this_version() {
    let java = Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("storage-handler/src/main/java/io/saltplan/hive/PlanAnswer.java");
    let text = fs::read_to_string(java).expect("a file");
    let line = format!("static final String VERSION = \"{}\";", env!("CARGO_PKG_VERSION"));
    assert!(text.contains(&line), "write `{line}` in PlanAnswer.java");
}
