//! All rules, one file each.

pub mod file;
pub mod hbase;
pub mod hive;
pub mod key;
pub mod region;
pub mod salt;
pub mod target;

use super::rule::Rule;

/// Every rule, by code.
pub fn all() -> &'static [&'static Rule] {
    &ALL
}

/// The rule with this code or name.
pub fn find(code_or_name: &str) -> Option<&'static Rule> {
    ALL.iter().copied().find(|rule| rule.code.eq_ignore_ascii_case(code_or_name) || rule.name == code_or_name)
}

static ALL: [&Rule; 76] = [
    &salt::sp101_abs_of_java_hash::RULE,
    &salt::sp102_salt_fan_out::RULE,
    &salt::sp103_salt_input_not_in_key::RULE,
    &salt::sp104_salts_overlap::RULE,
    &salt::sp105_hex_case::RULE,
    &salt::sp106_salt_over_a_range::RULE,
    &salt::sp107_random_salt::RULE,
    &salt::sp108_negative_salt::RULE,
    &salt::sp109_constant_salt::RULE,
    &salt::sp110_hive_hash_of_wide_text::RULE,
    &salt::sp111_locale_of_lower_case::RULE,
    &salt::sp112_modulo_31::RULE,
    &salt::sp113_field_spreads::RULE,
    &salt::sp114_salt_over_prefixes::RULE,
    &salt::sp115_unknown_salt::RULE,
    &region::sp201_unreachable_region::RULE,
    &region::sp202_empty_first_region::RULE,
    &region::sp203_salts_against_regions::RULE,
    &region::sp204_skewed_regions::RULE,
    &region::sp205_order_of_split_keys::RULE,
    &region::sp206_count_in_comment::RULE,
    &region::sp207_unquoted_split_key::RULE,
    &region::sp208_sample_missing::RULE,
    &region::sp209_many_regions::RULE,
    &region::sp210_salt_without_regions::RULE,
    &key::sp301_key_length::RULE,
    &key::sp302_monotonic_key::RULE,
    &key::sp303_ambiguous_boundary::RULE,
    &key::sp304_separator_in_field::RULE,
    &key::sp305_unpadded_number::RULE,
    &key::sp306_twos_complement::RULE,
    &key::sp307_key_not_unique::RULE,
    &key::sp308_date_out_of_order::RULE,
    &key::sp309_epoch_width::RULE,
    &key::sp310_key_in_every_cell::RULE,
    &key::sp311_repeated_hour::RULE,
    &hive::sp402_hive_names::RULE,
    &hive::sp403_unwritable_bounds::RULE,
    &hive::sp404_cell_mapping::RULE,
    &hive::sp405_type_of_cell::RULE,
    &hive::sp406_not_external::RULE,
    &hive::sp407_long_mapping::RULE,
    &hive::sp408_virtual_column::RULE,
    &hive::sp409_mapping_without_column::RULE,
    &hive::sp410_family_in_a_map::RULE,
    &target::sp501_partition_not_in_key::RULE,
    &target::sp502_target_types::RULE,
    &target::sp503_partition_type::RULE,
    &target::sp504_many_partitions::RULE,
    &target::sp505_target_is_mapping::RULE,
    &target::sp506_key_left_out::RULE,
    &target::sp507_target_without_column::RULE,
    &hbase::sp601_system_namespace::RULE,
    &hbase::sp602_many_families::RULE,
    &hbase::sp603_unmapped_family::RULE,
    &hbase::sp604_unknown_attribute::RULE,
    &hbase::sp605_long_names::RULE,
    &hbase::sp606_attribute_value::RULE,
    &hbase::sp607_time_to_live::RULE,
    &hbase::sp608_unread_versions::RULE,
    &hbase::sp609_no_bloom_filter::RULE,
    &hbase::sp610_compression::RULE,
    &hbase::sp611_block_size::RULE,
    &hbase::sp612_in_memory::RULE,
    &hbase::sp613_mob_threshold::RULE,
    &hbase::sp614_replication_scope::RULE,
    &hbase::sp615_writes_can_be_lost::RULE,
    &file::sp901_invalid_file::RULE,
    &file::sp902_unknown_key::RULE,
    &file::sp903_duplicate_key::RULE,
    &file::sp904_unused_suppression::RULE,
    &file::sp905_unknown_rule_code::RULE,
    &file::sp906_suppression_without_reason::RULE,
    &file::sp907_doubtful_value::RULE,
    &file::sp908_text_read_otherwise::RULE,
    &file::sp909_comma_in_braces::RULE,
];
