//! What the developer programs share.

pub mod random;
pub mod records;
pub mod training;
