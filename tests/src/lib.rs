//! What the end-to-end tests share: the fixture bot, and support for running the arena as a user does.

pub mod arena;
pub mod binaries;
pub mod browser;
pub mod fixture;
pub mod odd;
pub mod page;
pub mod pane;
pub mod processes;
pub mod recorded;
pub mod schemas;
pub mod skip;
pub mod strangers;
pub mod traffic;
pub mod transcript;
