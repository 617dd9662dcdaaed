//! The protocol's messages and a transcript's lines as types, from which the JSON Schemas in `arena/docs/schemas` are made.
//!
//! The arena writes its lines by hand, for speed, so these types are no part of it: the test `schemas` holds them against
//! what it really sends and records. What is said here about a key is what authors of bots read.

// Fields are read by the derive alone.
#[allow(dead_code)]
mod games;
#[allow(dead_code)]
mod message;
#[allow(dead_code)]
mod transcript;

use schemars::generate::SchemaSettings;
use schemars::transform::{RecursiveTransform, Transform};
use schemars::{JsonSchema, Schema};

/// Where the schemas are, seen from the repository's folder.
pub const FOLDER: &str = "arena/docs/schemas";

/// The command that writes them.
pub const COMMAND: &str = "cargo run -p tests --bin schemas";

/// Every schema as a file: its path in [`FOLDER`] and its text.
pub fn files() -> Vec<(String, String)> {
    let mut files = vec![("ready.json".to_string(), text(said::<message::Ready>()))];
    for (game, schemas) in games::schemas() {
        files.extend(schemas.into_iter().map(|(name, schema)| (format!("{game}/{name}.json"), text(schema))));
    }
    files
}

/// The schema of what the arena writes: a key is always there, unless it is marked as one that may be left out.
fn written<T: JsonSchema>() -> Schema {
    SchemaSettings::draft2020_12().for_serialize().into_generator().into_root_schema_for::<T>()
}

/// The schema of what a bot says: an `Option` may be left out.
fn said<T: JsonSchema>() -> Schema {
    SchemaSettings::draft2020_12().for_deserialize().into_generator().into_root_schema_for::<T>()
}

fn text(mut schema: Schema) -> String {
    // Both are for Rust: the name of a number's type, which some validators refuse, and what a missing key becomes.
    RecursiveTransform(|part: &mut Schema| {
        part.remove("format");
        part.remove("default");
    })
    .transform(&mut schema);
    format!("{}\n", serde_json::to_string_pretty(&schema).expect("a schema is JSON"))
}
