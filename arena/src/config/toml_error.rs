//! TOML that people write: read with places, so that every error says file and line, and what was meant.
//!
//! Knows no file's keys: those who read one ask a [`TomlSection`] for them.

use super::{ConfigError, parse_duration, parse_size, shown, suggest};
use crate::files::open_regular;
use serde_json::{Number, Value};
use std::borrow::Cow;
use std::io::{self, Read};
use std::ops::Range;
use std::path::Path;
use std::time::Duration;
use toml::Spanned;
use toml::de::{DeTable, DeValue};

/// What is larger is not something that a person wrote.
const LARGEST_FILE: u64 = 1 << 20;

/// The text of a TOML file, and what the file is called in errors.
#[derive(Clone, Debug)]
pub struct TomlFile {
    label: String,
    text: String,
}

impl TomlFile {
    /// Reads the file; `label` is what errors call it. Fails when it cannot be read, is larger than 1 MiB, or is not
    /// UTF-8.
    pub fn read(path: &Path, label: &str) -> Result<TomlFile, ConfigError> {
        let fail = |why: String| ConfigError(format!("{} cannot be read: {why}", shown(label)));
        let system = |error: io::Error| fail(error.to_string());
        let mut file = open_regular(path).map_err(system)?;
        let length = file.metadata().map_err(system)?.len();
        if length > LARGEST_FILE {
            return Err(fail(format!("it has {length} bytes, and more than {LARGEST_FILE} are refused")));
        }
        let mut bytes = Vec::new();
        file.read_to_end(&mut bytes).map_err(system)?;
        TomlFile::from_bytes(label, bytes)
    }

    /// The same for bytes that were read already.
    pub fn from_bytes(label: &str, bytes: Vec<u8>) -> Result<TomlFile, ConfigError> {
        let text = String::from_utf8(bytes).map_err(|error| {
            let bad = error.utf8_error().valid_up_to();
            let line = line_of(error.as_bytes(), bad);
            let byte = error.as_bytes()[bad];
            let why = format!("the byte 0x{byte:02x} is not UTF-8; save the file as UTF-8");
            ConfigError(format!("{label}:{line}: {why}"))
        })?;
        let text = text.strip_prefix('\u{feff}').map(String::from).unwrap_or(text);
        Ok(TomlFile { label: label.to_string(), text })
    }

    /// The whole text, without a byte-order mark.
    pub fn text(&self) -> &str {
        &self.text
    }

    /// The line, from 1, of the place that is so many bytes into the text.
    pub fn line_at(&self, offset: usize) -> usize {
        line_of(self.text.as_bytes(), offset)
    }

    /// The top of the file.
    pub fn root(&self) -> Result<TomlSection<'_>, ConfigError> {
        let table = DeTable::parse(&self.text).map_err(|error| {
            let why = error.message().trim().replace('\n', ", ");
            self.error_at(error.span().map_or(0, |span| span.start), &format!("this is not valid TOML: {why}"))
        })?;
        Ok(TomlSection { file: self, title: String::new(), start: None, table: table.into_inner() })
    }

    /// An error about the place that is so many bytes into the text: `LABEL:LINE: MESSAGE`.
    pub fn error_at(&self, offset: usize, message: &str) -> ConfigError {
        ConfigError(format!("{}:{}: {message}", self.label, self.line_at(offset)))
    }
}

/// A value and where it was written.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Placed<T> {
    /// The value.
    pub value: T,
    /// Bytes from the start of the text.
    pub offset: usize,
}

/// A table of the file, to be asked for its keys.
#[derive(Clone, Debug)]
pub struct TomlSection<'a> {
    file: &'a TomlFile,
    /// `[clock]`, or nothing at the top.
    title: String,
    start: Option<usize>,
    table: DeTable<'a>,
}

impl<'a> TomlSection<'a> {
    /// Refuses a key that is none of these: the first one in the file, with what was meant.
    pub fn allow_only(&self, known: &[&str]) -> Result<(), ConfigError> {
        let unknown = self.entries().find(|(key, _, _)| !known.contains(key));
        let Some((key, offset, _)) = unknown else { return Ok(()) };
        let place = if self.title.is_empty() { String::new() } else { format!(" in {}", self.title) };
        let way_out = match suggest(key, known) {
            Some(meant) => format!(", did you mean `{meant}`?"),
            None => format!(": the keys are {}", known.join(", ")),
        };
        Err(self.file.error_at(offset, &format!("unknown key {}{place}{way_out}", shown(key))))
    }

    /// A text, if the key is there.
    pub fn text(&self, key: &str, example: &str) -> Result<Option<Placed<String>>, ConfigError> {
        let Some((value, span)) = self.value(key) else { return Ok(None) };
        let Some(text) = value.as_str() else {
            return Err(self.wrong_type(key, value, &span, "a text in quotes", example));
        };
        Ok(Some(Placed { value: self.clean(key, text, span.start)?, offset: span.start }))
    }

    /// A list of texts, if the key is there.
    pub fn texts(&self, key: &str, example: &str) -> Result<Option<Placed<Vec<String>>>, ConfigError> {
        let Some((value, span)) = self.value(key) else { return Ok(None) };
        let Some(items) = value.as_array() else {
            return Err(self.wrong_type(key, value, &span, "a list of texts", example));
        };
        let mut texts = Vec::new();
        for item in items.iter() {
            let Some(text) = item.get_ref().as_str() else {
                return Err(self.wrong_type(key, item.get_ref(), &item.span(), "a list of texts only", example));
            };
            texts.push(self.clean(key, text, item.span().start)?);
        }
        Ok(Some(Placed { value: texts, offset: span.start }))
    }

    /// A table in this one, if the key is there.
    pub fn section(&self, key: &str, example: &str) -> Result<Option<TomlSection<'a>>, ConfigError> {
        let Some((value, span)) = self.value(key) else { return Ok(None) };
        let DeValue::Table(table) = value else {
            return Err(self.wrong_type(key, value, &span, "a table", example));
        };
        Ok(Some(self.inner(format!("[{key}]"), span.start, table)))
    }

    /// A whole number of 64 bits, if the key is there.
    pub fn whole_number(&self, key: &str, example: &str) -> Result<Option<Placed<i64>>, ConfigError> {
        let Some((value, span)) = self.value(key) else { return Ok(None) };
        match whole(value) {
            Some(number) => Ok(Some(Placed { value: number, offset: span.start })),
            None => Err(self.wrong_type(key, value, &span, "a whole number of at most 64 bits", example)),
        }
    }

    /// A finite number, whole or not, if the key is there.
    pub fn number(&self, key: &str, example: &str) -> Result<Option<Placed<f64>>, ConfigError> {
        let Some((value, span)) = self.value(key) else { return Ok(None) };
        let float = value.as_float().and_then(|float| float.as_str().parse().ok());
        match float.or_else(|| whole(value).map(|number| number as f64)).filter(|number| number.is_finite()) {
            Some(number) => Ok(Some(Placed { value: number, offset: span.start })),
            None => Err(self.wrong_type(key, value, &span, "a number", example)),
        }
    }

    /// `true` or `false`, if the key is there.
    pub fn truth(&self, key: &str) -> Result<Option<Placed<bool>>, ConfigError> {
        let Some((value, span)) = self.value(key) else { return Ok(None) };
        match value.as_bool() {
            Some(truth) => Ok(Some(Placed { value: truth, offset: span.start })),
            None => Err(self.wrong_type(key, value, &span, "`true` or `false`", &format!("{key} = true"))),
        }
    }

    /// A duration as [`parse_duration`] reads it, in quotes, if the key is there.
    pub fn duration(&self, key: &str) -> Result<Option<Placed<Duration>>, ConfigError> {
        self.parsed(key, &format!("{key} = \"10s\""), parse_duration)
    }

    /// A size in bytes as [`parse_size`] reads it, in quotes, if the key is there.
    pub fn size(&self, key: &str) -> Result<Option<Placed<u64>>, ConfigError> {
        self.parsed(key, &format!("{key} = \"512MiB\""), parse_size)
    }

    /// Any value, as JSON, if the key is there; a date becomes its text, and a number that JSON has not is refused.
    pub fn json(&self, key: &str) -> Result<Option<Placed<Value>>, ConfigError> {
        let Some((value, span)) = self.value(key) else { return Ok(None) };
        match json(value) {
            Some(json) => Ok(Some(Placed { value: json, offset: span.start })),
            None => {
                let source = shown(self.file.text.get(span.clone()).unwrap_or_default());
                let why = format!("`{key}` has a number that is not finite, or beyond 64 bits: {source}");
                Err(self.file.error_at(span.start, &why))
            }
        }
    }

    /// The tables of a list of tables (`[[bots]]`), or the only one (`[params]`); none when the key is not there.
    pub fn sections(&self, key: &str, example: &str) -> Result<Vec<TomlSection<'a>>, ConfigError> {
        let Some((value, span)) = self.value(key) else { return Ok(Vec::new()) };
        let Some(items) = value.as_array() else { return Ok(self.section(key, example)?.into_iter().collect()) };
        let section = |item: &Spanned<DeValue<'a>>| match item.get_ref() {
            DeValue::Table(table) => Ok(self.inner(format!("[[{key}]]"), item.span().start, table)),
            other => Err(self.wrong_type(key, other, &span, "tables", example)),
        };
        items.iter().map(section).collect()
    }

    /// The keys in the order of the file, with where each stands.
    pub fn keys(&self) -> Vec<Placed<String>> {
        self.entries().map(|(key, offset, _)| Placed { value: key.to_string(), offset }).collect()
    }

    /// The line, from 1, of the place that is so many bytes into the text.
    pub fn line_at(&self, offset: usize) -> usize {
        self.file.line_at(offset)
    }

    /// An error about the place that is so many bytes into the text.
    pub fn error_at(&self, offset: usize, message: &str) -> ConfigError {
        self.file.error_at(offset, message)
    }

    /// An error about a key that has to be there and is not.
    pub fn missing(&self, key: &str, example: &str) -> ConfigError {
        let message = format!("`{key}` is missing: write {example}");
        match self.start {
            Some(offset) => self.file.error_at(offset, &format!("{}: {message}", self.title)),
            None => ConfigError(format!("{}: {message}", self.file.label)),
        }
    }

    fn inner(&self, title: String, start: usize, table: &DeTable<'a>) -> TomlSection<'a> {
        TomlSection { file: self.file, title, start: Some(start), table: table.clone() }
    }

    fn parsed<T>(
        &self,
        key: &str,
        example: &str,
        parse: impl Fn(&str) -> Result<T, ConfigError>,
    ) -> Result<Option<Placed<T>>, ConfigError> {
        let Some(text) = self.text(key, example)? else { return Ok(None) };
        match parse(&text.value) {
            Ok(value) => Ok(Some(Placed { value, offset: text.offset })),
            Err(error) => Err(self.error_at(text.offset, &format!("`{key}`: {error}"))),
        }
    }

    fn entries(&self) -> impl Iterator<Item = (&str, usize, &DeValue<'a>)> {
        let mut entries: Vec<_> =
            self.table.iter().map(|(key, value)| (key.get_ref().as_ref(), key.span().start, value.get_ref())).collect();
        entries.sort_by_key(|(_, offset, _)| *offset);
        entries.into_iter()
    }

    fn value(&self, key: &str) -> Option<(&DeValue<'a>, Range<usize>)> {
        let found: &Spanned<DeValue<'a>> = self.table.get(key)?;
        Some((found.get_ref(), found.span()))
    }

    /// No text may hold a NUL, which no program can be given.
    fn clean(&self, key: &str, text: &str, offset: usize) -> Result<String, ConfigError> {
        if text.contains('\0') {
            let why = format!("{} of `{key}` has a NUL character, which no program can be given", shown(text));
            return Err(self.file.error_at(offset, &why));
        }
        Ok(text.to_string())
    }

    fn wrong_type(
        &self,
        key: &str,
        value: &DeValue<'_>,
        span: &Range<usize>,
        wanted: &str,
        example: &str,
    ) -> ConfigError {
        let source = self.file.text.get(span.clone()).unwrap_or_default();
        let seen = format!("{} {}", kind_of(value), shown(source));
        self.file.error_at(span.start, &format!("`{key}` must be {wanted}, but has {seen}: write {example}"))
    }
}

fn kind_of(value: &DeValue<'_>) -> &'static str {
    match value {
        DeValue::String(_) => "the text",
        DeValue::Integer(_) => "the whole number",
        DeValue::Float(_) => "the number",
        DeValue::Boolean(_) => "the truth value",
        DeValue::Datetime(_) => "the date",
        DeValue::Array(_) => "the list",
        DeValue::Table(_) => "the table",
    }
}

fn whole(value: &DeValue<'_>) -> Option<i64> {
    let integer = value.as_integer()?;
    i64::from_str_radix(integer.as_str(), integer.radix()).ok()
}

fn json(value: &DeValue<'_>) -> Option<Value> {
    Some(match value {
        DeValue::String(text) => Value::from(text.as_ref()),
        DeValue::Integer(_) => Value::from(whole(value)?),
        DeValue::Float(float) => Value::Number(Number::from_f64(float.as_str().parse().ok()?)?),
        DeValue::Boolean(truth) => Value::from(*truth),
        DeValue::Datetime(date) => Value::from(date.to_string()),
        DeValue::Array(items) => Value::Array(items.iter().map(|item| json(item.get_ref())).collect::<Option<_>>()?),
        DeValue::Table(table) => {
            let entry = |(key, item): (&Spanned<_>, &Spanned<DeValue<'_>>)| {
                let key: &Cow<'_, str> = key.get_ref();
                Some((key.to_string(), json(item.get_ref())?))
            };
            Value::Object(table.iter().map(entry).collect::<Option<_>>()?)
        }
    })
}

/// The line of a place in the text, counted from 1.
fn line_of(text: &[u8], offset: usize) -> usize {
    1 + text[..offset.min(text.len())].iter().filter(|byte| **byte == b'\n').count()
}
