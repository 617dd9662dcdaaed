//! The table of formats: a new one is one file here, one `mod` line and one entry.
