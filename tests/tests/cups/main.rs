//! Whole cups, as an organiser runs them: killed and gone on with, stopped, on a full disk, among hostile bots, in every
//! format, and what is left on record of each.

mod formats;
mod hostile;
mod killed;
mod machine;
mod record;
mod results;
mod stopped;
mod support;
