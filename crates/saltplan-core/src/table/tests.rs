use super::*;

const SAMPLED: &str = "
saltplan: 1
hbase: { table: t, families: { f: {} } }
key:
  salt: { modulo: { of: id, by: 4, write: decimal } }
  fields: [{ name: id, type: int, encoding: decimal, min: 0 }]
regions: { sampled: { keys: keys.txt, regions: 3 } }
";

fn sampled(path: &str, files: impl Files + 'static) -> Result<Table, Diagnostics> {
    Table::read(&Source::new("t.yaml", SAMPLED.replace("keys.txt", path)), files)
}

#[test]
fn split_keys_of_a_sample_in_memory() {
    let table = sampled("keys.txt", Memory::default().with("keys.txt", "1\n2\n3\n")).expect("a table");
    assert_eq!(table.sample_path(), Some(Path::new("keys.txt")));
    assert_eq!(table.split_keys().expect("keys"), Some(&[b"2".to_vec(), b"3".to_vec()][..]));
    assert_eq!(table.salts(), ["0", "1", "2", "3"].map(|salt| salt.as_bytes().to_vec()));
}

#[test]
fn a_sample_that_is_not_there_is_an_error_when_it_is_needed() {
    let table = sampled("keys.txt", Memory::default()).expect("a table");
    assert_eq!(table.image().map(Image::count), Some(4));
    let error = table.split_keys().expect_err("no sample").to_string();
    assert!(error.starts_with("t.yaml:7:29: error: no sample keys: there is no such file"), "{error}");
}

#[test]
fn a_schema_may_not_name_every_file() {
    let folder = tempfile::tempdir().expect("a folder");
    for path in ["/etc/passwd", "../keys.txt", ".keys.txt"] {
        let refused = |files: Result<Table, Diagnostics>| files.expect_err(path).to_string();
        let in_memory = refused(sampled(path, Memory::default().with(path, "1")));
        assert!(in_memory.starts_with("t.yaml:7:29: error: no sample keys: "), "{in_memory}");
        assert_eq!(refused(sampled(path, Folder::new(folder.path()))), in_memory);
    }
}

#[test]
fn a_table_in_a_file() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("t.yaml");
    std::fs::write(&path, SAMPLED).expect("a schema");
    let table = Table::load(&path).expect("a table");
    std::fs::write(folder.path().join("keys.txt"), "1\n2\n").expect("keys");
    assert_eq!(table.split_keys().expect("keys").map(<[_]>::len), Some(1));
    assert_eq!(table.file_name(), "t.yaml");
}
