//! The Hub protocol, version 2: the text protocol of draughts GUIs, bots and Python libraries.

pub mod session;
pub mod wire;
