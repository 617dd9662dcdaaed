//! A strict reader of JSON: it refuses what two readers might understand in two ways (a key twice in one object),
//! what cannot be written again (1e999), and what is nested too deep.

use super::explain::shown;
use serde::de::{DeserializeSeed, Deserializer, Error, MapAccess, SeqAccess, Visitor};
use serde_json::{Map, Number, Value};
use std::fmt;

/// How deep lists and objects may be nested. What the arena writes wraps a bot's text once or twice more, and must
/// stay within the 128 levels that readers built with `serde_json` accept.
const MAX_DEPTH: usize = 120;

/// How much of a key an error shows, in characters.
const KEY_SHOWN: usize = 60;

/// A key that `serde_json` keeps for itself: a value that has it cannot be read again as one.
const RESERVED_KEY: &str = "$serde_json::private::RawValue";

/// Reads one JSON value, with nothing but spaces around it.
///
/// # Errors
/// Anything that is no JSON, also invalid UTF-8; a number beyond the range of a double; a key twice in one object, at
/// any depth; more than 120 levels of nesting. The error has the column, counted in bytes from 1.
pub fn strict_value(text: &[u8]) -> serde_json::Result<Value> {
    strict_value_within(text, 0)
}

/// The same for a text that stands `depth` levels deep in another.
pub(super) fn strict_value_within(text: &[u8], depth: usize) -> serde_json::Result<Value> {
    let mut reader = serde_json::Deserializer::from_slice(text);
    let value = Strict { depth }.deserialize(&mut reader)?;
    reader.end()?;
    Ok(value)
}

/// Builds a value; `depth` is how many lists and objects are open around it.
#[derive(Clone, Copy)]
pub(super) struct Strict {
    pub(super) depth: usize,
}

impl Strict {
    fn deeper<E: Error>(self) -> Result<Strict, E> {
        if self.depth >= MAX_DEPTH {
            return Err(E::custom(format_args!("lists and objects are nested more than {MAX_DEPTH} deep")));
        }
        Ok(Strict { depth: self.depth + 1 })
    }
}

/// The error for a key that an object has already.
pub(super) fn duplicate<E: Error>(key: &str) -> E {
    let seen = shown(Value::from(key).to_string().as_bytes(), KEY_SHOWN);
    E::custom(format_args!("the key {seen} comes twice in one object: write each key once"))
}

impl<'de> DeserializeSeed<'de> for Strict {
    type Value = Value;

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<Value, D::Error> {
        deserializer.deserialize_any(self)
    }
}

impl<'de> Visitor<'de> for Strict {
    type Value = Value;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a JSON value")
    }

    fn visit_unit<E: Error>(self) -> Result<Value, E> {
        Ok(Value::Null)
    }

    fn visit_bool<E: Error>(self, value: bool) -> Result<Value, E> {
        Ok(Value::Bool(value))
    }

    fn visit_i64<E: Error>(self, value: i64) -> Result<Value, E> {
        Ok(Value::from(value))
    }

    fn visit_u64<E: Error>(self, value: u64) -> Result<Value, E> {
        Ok(Value::from(value))
    }

    fn visit_f64<E: Error>(self, value: f64) -> Result<Value, E> {
        Number::from_f64(value).map(Value::Number).ok_or_else(|| E::custom("number out of range"))
    }

    fn visit_str<E: Error>(self, value: &str) -> Result<Value, E> {
        Ok(Value::from(value))
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut list: A) -> Result<Value, A::Error> {
        let inner = self.deeper()?;
        let mut values = Vec::new();
        while let Some(value) = list.next_element_seed(inner)? {
            values.push(value);
        }
        Ok(Value::Array(values))
    }

    fn visit_map<A: MapAccess<'de>>(self, mut object: A) -> Result<Value, A::Error> {
        let inner = self.deeper()?;
        let mut map = Map::new();
        while let Some(key) = object.next_key::<String>()? {
            if map.contains_key(&key) {
                return Err(duplicate(&key));
            }
            if key == RESERVED_KEY {
                return Err(A::Error::custom(format_args!(
                    "the key \"{RESERVED_KEY}\" is reserved: call it otherwise"
                )));
            }
            map.insert(key, object.next_value_seed(inner)?);
        }
        Ok(Value::Object(map))
    }
}
