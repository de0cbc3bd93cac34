//! Common parts of dumps from all tools.

use super::Dump;
use crate::fault::{Fault, fault};

impl Dump {
    /// Records the table in a region's name.
    ///
    /// # Errors
    /// Another region belongs to a different table.
    pub(super) fn is_of(&mut self, table: &str) -> Result<(), Fault> {
        match &self.table {
            Some(known) if known != table => fault(
                format!("the dump has regions of two tables, `{known}` and `{table}`"),
                "give the dump of one table only",
            ),
            Some(_) => Ok(()),
            None => {
                self.table = Some(table.to_string());
                Ok(())
            }
        }
    }
}

/// The parts of a region's name, `table,start key,id.encoded.`; the start key is in the text form of
/// `Bytes.toStringBinary`.
pub(super) struct RegionName<'a> {
    pub table: &'a str,
    pub start: &'a str,
    pub encoded: &'a str,
    /// A read replica of the region (`id` ends with `_0001`), which is not a region of its own.
    pub(crate) is_replica: bool,
}

impl<'a> RegionName<'a> {
    /// The start key may contain commas and dots; the id and the MD5 after it do not.
    pub fn parse(name: &'a str) -> Option<Self> {
        let (front, encoded) = name.trim().strip_suffix('.')?.rsplit_once('.')?;
        let (front, id) = front.rsplit_once(',')?;
        let (table, start) = front.split_once(',')?;
        let is_md5 = encoded.len() == 32 && encoded.bytes().all(|byte| byte.is_ascii_hexdigit());
        let is_id = !id.is_empty() && id.bytes().all(|byte| byte.is_ascii_hexdigit() || byte == b'_');
        (is_md5 && is_id).then_some(RegionName { table, start, encoded, is_replica: id.contains('_') })
    }
}
