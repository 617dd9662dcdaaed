//! A game's parameters: what they may be, and a checked set of them.

use serde_json::{Map, Value};

/// A set of parameters, by name, in the order of the game's list.
pub type Params = Map<String, Value>;

/// A parameter that is not as it should be: a sentence that names it, the value seen, and the way out.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{0}")]
pub struct ParamError(pub String);

/// One parameter of a game.
#[derive(Debug)]
pub struct ParamSpec {
    /// Its name.
    pub name: &'static str,
    /// What it may be.
    pub kind: ParamKind,
    /// Its value when none is given, as JSON text; `None` when the game derives or deals it.
    pub default: Option<&'static str>,
    /// One line about it.
    pub help: &'static str,
}

/// What a parameter may be.
#[derive(Debug)]
pub enum ParamKind {
    /// A whole number in this range, both ends included.
    Range(i64, i64),
    /// One of these whole numbers.
    OneOf(&'static [i64]),
    /// An even whole number in this range, both ends included.
    Even(i64, i64),
    /// A list whose shape the game checks; the text says what it looks like.
    List(&'static str),
}

impl ParamKind {
    /// What is allowed, in words.
    pub fn allowed(&self) -> String {
        match self {
            ParamKind::Range(low, high) => format!("a whole number from {low} to {high}"),
            ParamKind::Even(low, high) => format!("an even number from {low} to {high}"),
            ParamKind::OneOf(values) => {
                let (last, rest) = values.split_last().expect("a choice has values");
                let rest: Vec<String> = rest.iter().map(i64::to_string).collect();
                if rest.is_empty() { last.to_string() } else { format!("{} or {last}", rest.join(", ")) }
            }
            ParamKind::List(shape) => (*shape).to_string(),
        }
    }

    /// The allowed whole numbers that are less than this one, the least first; none of a list.
    pub fn less_than(&self, value: i64) -> impl DoubleEndedIterator<Item = i64> {
        let least = match self {
            ParamKind::Range(low, _) | ParamKind::Even(low, _) => *low,
            ParamKind::OneOf(values) => values.iter().copied().min().unwrap_or(value),
            ParamKind::List(_) => value,
        };
        (least..value).filter(|number| self.allows(&Value::from(*number)))
    }

    fn allows(&self, value: &Value) -> bool {
        match (self, value.as_i64()) {
            (ParamKind::Range(low, high), Some(number)) => (*low..=*high).contains(&number),
            (ParamKind::Even(low, high), Some(number)) => (*low..=*high).contains(&number) && number % 2 == 0,
            (ParamKind::OneOf(values), Some(number)) => values.contains(&number),
            (ParamKind::List(_), _) => value.is_array(),
            _ => false,
        }
    }
}

/// Checks what was given against a game's list and fills in the defaults.
pub(super) fn complete(game: &str, specs: &[&ParamSpec], given: &Params) -> Result<Params, ParamError> {
    for (name, value) in given {
        let Some(spec) = specs.iter().find(|spec| spec.name == name) else {
            let names: Vec<&str> = specs.iter().map(|spec| spec.name).collect();
            return Err(ParamError(format!("{game} has no parameter `{name}`: it has {}", names.join(", "))));
        };
        if !spec.kind.allows(value) {
            return Err(ParamError(format!("{game}: `{name}` is {value}, but must be {}", spec.kind.allowed())));
        }
    }
    let mut complete = Params::new();
    for spec in specs {
        let default = || spec.default.map(|text| serde_json::from_str(text).expect("a default is JSON"));
        if let Some(value) = given.get(spec.name).cloned().or_else(default) {
            complete.insert(spec.name.to_string(), value);
        }
    }
    Ok(complete)
}
