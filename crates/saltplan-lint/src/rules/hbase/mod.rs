//! Rules about the HBase table and its families.

pub mod sp601_system_namespace;
pub mod sp602_many_families;
pub mod sp603_unmapped_family;
pub mod sp604_unknown_attribute;
pub mod sp605_long_names;
pub mod sp606_attribute_value;
