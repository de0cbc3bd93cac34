//! Rules about the target table.

pub mod sp501_partition_not_in_key;
pub mod sp502_target_types;
pub mod sp503_partition_type;
pub mod sp504_many_partitions;
pub mod sp505_target_is_mapping;
pub mod sp506_key_left_out;
pub mod sp507_target_without_column;
