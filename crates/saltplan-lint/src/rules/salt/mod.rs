//! Rules about the salt.

pub mod sp101_abs_of_java_hash;
pub mod sp102_salt_fan_out;
pub mod sp103_salt_input_not_in_key;
pub mod sp104_salts_overlap;
pub mod sp105_hex_case;
pub mod sp106_salt_over_a_range;
pub mod sp107_random_salt;
pub mod sp108_negative_salt;
pub mod sp109_constant_salt;
pub mod sp110_hive_hash_of_wide_text;
pub mod sp111_locale_of_lower_case;
pub mod sp112_modulo_31;
pub mod sp113_field_spreads;
pub mod sp114_salt_over_prefixes;
pub mod sp115_unknown_salt;
