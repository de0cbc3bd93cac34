//! Rules about the HBase table and its families.

pub mod sp601_system_namespace;
pub mod sp602_many_families;
pub mod sp603_unmapped_family;
pub mod sp604_unknown_attribute;
pub mod sp605_long_names;
pub mod sp606_attribute_value;
pub mod sp607_time_to_live;
pub mod sp608_unread_versions;
pub mod sp609_no_bloom_filter;
pub mod sp610_compression;
pub mod sp611_block_size;
pub mod sp612_in_memory;
pub mod sp613_mob_threshold;
pub mod sp614_replication_scope;
pub mod sp615_writes_can_be_lost;
