//! Reading moves and states from JSON, and what people type: the few pieces that games share, each with a sentence
//! for what is not as it should be. Knows no game: the names of what is read come from the caller.

use super::BadShape;
use serde_json::{Map, Value};

/// Reads a whole number of 64 bits (signed); `what` names it. `-0` is 0; any other number written with a fraction
/// or an exponent is none.
pub fn whole(value: &Value, what: &str) -> Result<i64, BadShape> {
    if let Some(number) = value.as_i64() {
        return Ok(number);
    }
    let why = match value.as_f64() {
        // `-0` is how a float zero with a sign is read, so the two cannot be told apart.
        Some(number) if number == 0.0 && number.is_sign_negative() => return Ok(0),
        Some(number) if number.abs() >= 9_223_372_036_854_775_808.0 => "which does not fit in 64 bits (signed)",
        Some(_) => "which has a fraction or an exponent",
        None => "which is no number",
    };
    Err(BadShape(format!("{what} is {}, {why}: a whole number is expected", shown(value))))
}

/// Reads an object; `what` names it, `expected` shows one.
pub fn object<'a>(value: &'a Value, what: &str, expected: &str) -> Result<&'a Map<String, Value>, BadShape> {
    value.as_object().ok_or_else(|| BadShape(format!("{what} is {}: {expected} is expected", shown(value))))
}

/// The value under a key of an object; `what` names the object, `expected` shows one.
pub fn key<'a>(object: &'a Map<String, Value>, name: &str, what: &str, expected: &str) -> Result<&'a Value, BadShape> {
    object.get(name).ok_or_else(|| {
        let names: Vec<String> = object.keys().map(|name| format!("`{}`", cut(name))).collect();
        let has = if names.is_empty() { "is empty".to_string() } else { format!("has only {}", names.join(", ")) };
        BadShape(format!("{what} {has}, `{name}` is missing: {expected} is expected"))
    })
}

/// Reads a list of exactly so many items; `what` names it.
pub fn list<'a>(value: &'a Value, length: usize, what: &str) -> Result<&'a [Value], BadShape> {
    match value.as_array() {
        Some(items) if items.len() == length => Ok(items),
        Some(items) => {
            Err(BadShape(format!("{what} is {}, a list of {}: {length} are expected", shown(value), items.len())))
        }
        None => Err(BadShape(format!("{what} is {}: a list of {length} is expected", shown(value)))),
    }
}

/// A value for a sentence: its kind and its text, cut where it is long.
pub fn shown(value: &Value) -> String {
    let kind = match value {
        Value::Null | Value::Bool(_) => "",
        Value::Number(_) => "the number ",
        Value::String(_) => "the text ",
        Value::Array(_) => "the list ",
        Value::Object(_) => "the object ",
    };
    format!("{kind}{}", cut(&value.to_string()))
}

/// The move's JSON value, where a person typed one (an object), or `pass` for `null`.
pub fn typed_value(text: &str) -> Option<Value> {
    let text = text.trim();
    if text.eq_ignore_ascii_case("pass") || text == "null" {
        return Some(Value::Null);
    }
    serde_json::from_str(text).ok().filter(Value::is_object)
}

/// The whole numbers in what a person typed, whatever brackets, commas, arrows and the like stand between them.
/// `None` when anything else is there, letters or a decimal point for instance.
pub fn typed_numbers(text: &str) -> Option<Vec<i64>> {
    let plain = text.replace('\u{2212}', "-").replace("->", " ");
    let spaced: String = plain.chars().map(|c| if "()[]{},;:>@/→".contains(c) { ' ' } else { c }).collect();
    spaced.split_whitespace().map(|word| word.parse().ok()).collect()
}

/// The whole numbers of 64 bits on a line of words, as a bot that writes no JSON sends them.
pub fn plain_numbers(line: &str) -> Result<Vec<i64>, BadShape> {
    let number = |word: &str| word.parse().map_err(|_| BadShape(format!("`{}` is no whole number", cut(word))));
    line.split_whitespace().map(number).collect()
}

fn cut(text: &str) -> String {
    const LONGEST: usize = 80;
    match text.char_indices().nth(LONGEST) {
        Some((end, _)) => format!("{}…", &text[..end]),
        None => text.to_string(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn whole_numbers_are_those_of_64_bits_written_plainly() {
        let read = |text: &str| whole(&serde_json::from_str(text).expect("the test's JSON"), "`x`");
        for (text, number) in [("0", 0), ("-0", 0), ("-4", -4), ("9223372036854775807", i64::MAX)] {
            assert_eq!(read(text), Ok(number), "{text}");
        }
        assert_eq!(read("-9223372036854775808"), Ok(i64::MIN));
        for (text, words) in [
            ("3.5", "`x` is the number 3.5, which has a fraction or an exponent: a whole number is expected"),
            ("3.0", "`x` is the number 3.0, which has a fraction or an exponent: a whole number is expected"),
            ("1e1", "which has a fraction or an exponent"),
            ("9223372036854775808", "`x` is the number 9223372036854775808, which does not fit in 64 bits (signed)"),
            ("-99999999999999999999", "which does not fit in 64 bits (signed)"),
            ("\"3\"", "`x` is the text \"3\", which is no number: a whole number is expected"),
            ("null", "`x` is null, which is no number"),
            ("[1]", "`x` is the list [1], which is no number"),
        ] {
            let bad = read(text).expect_err(text);
            assert!(bad.0.contains(words), "{text}: {}", bad.0);
        }
    }

    #[test]
    fn long_values_are_cut_in_sentences() {
        let long = shown(&json!("ä".repeat(1000)));
        assert!(long.starts_with("the text \"ä") && long.ends_with('…') && long.chars().count() < 100, "{long}");
    }

    #[test]
    fn people_may_type_json_or_pass() {
        assert_eq!(typed_value(r#" {"x":1} "#), Some(json!({"x": 1})));
        assert_eq!([typed_value("null"), typed_value("Pass")], [Some(Value::Null), Some(Value::Null)]);
        assert_eq!([typed_value("7"), typed_value("[7]"), typed_value("{"), typed_value("")], [None, None, None, None]);
    }

    #[test]
    fn typed_numbers_may_have_anything_between_that_is_no_part_of_a_number() {
        for (text, numbers) in [
            ("3 4 9 5", Some(vec![3, 4, 9, 5])),
            (" (3,4)>(9,5) ", Some(vec![3, 4, 9, 5])),
            ("3,4->9,5", Some(vec![3, 4, 9, 5])),
            ("[3, 4] → [9, 5]", Some(vec![3, 4, 9, 5])),
            ("7@-3", Some(vec![7, -3])),
            ("7 \u{2212}3", Some(vec![7, -3])),
            ("", Some(vec![])),
            ("7 x", None),
            ("7.5", None),
            ("7 - 3", None),
            ("99999999999999999999", None),
        ] {
            assert_eq!(typed_numbers(text), numbers, "{text:?}");
        }
    }
}
