//! The parameter sets of a cup: `[params]` tables with their grids, each set tried on the game.

use super::keys::{known_only, named_in};
use crate::config::ConfigError;
use crate::config::toml_error::{Placed, TomlSection};
use crate::game::{AnyGame, ParamKind, ParamSpec, Params};
use serde_json::Value;

/// More sets than anyone means; a grid grows fast.
const MOST_SETS: usize = 10_000;

/// The sets of all `[params]` tables, in order; the game's defaults when there is none. In a grid, the game's first
/// parameter changes slowest.
pub(super) fn read_sets(root: &TomlSection<'_>, game: &dyn AnyGame, seed: u64) -> Result<Vec<Params>, ConfigError> {
    let tables = root.sections("params", "[params]")?;
    if tables.is_empty() {
        return Ok(vec![defaults(&game.params())]);
    }
    let mut sets: Vec<Params> = Vec::new();
    for table in &tables {
        let grid = Grid { table, game, seed };
        for set in grid.sets()? {
            if sets.contains(&set) {
                let text = Value::Object(set);
                return Err(table.error_at(grid.start(), &format!("[[params]] gives the set {text} a second time")));
            }
            sets.push(set);
            grid.check_count(sets.len(), 0)?;
        }
    }
    Ok(sets)
}

/// One `[params]` table.
struct Grid<'a> {
    table: &'a TomlSection<'a>,
    game: &'a dyn AnyGame,
    seed: u64,
}

impl Grid<'_> {
    fn sets(&self) -> Result<Vec<Params>, ConfigError> {
        let specs = self.game.params();
        known_only(self.table, "params", &specs.iter().map(|spec| spec.name).collect::<Vec<_>>())?;
        let mut sets = vec![defaults(&specs)];
        let mut words = Vec::new();
        for spec in &specs {
            match self.table.json(spec.name)? {
                Some(Placed { value: Value::String(word), offset }) => words.push((spec.name, word, offset)),
                Some(given) => {
                    let values = self.values(spec, given)?;
                    sets = self.product(sets, spec.name, |_| values.clone())?;
                }
                None => {}
            }
        }
        self.check(&sets)?;
        for (name, word, offset) in words {
            for set in &mut sets {
                set.shift_remove(name);
            }
            // A word that means nothing stays as it is, for the game to refuse.
            let values = |set: &Params| self.game.expand(name, &word, set).unwrap_or_else(|| vec![word.clone().into()]);
            sets = self.product(sets, name, values)?;
            if sets.is_empty() {
                return Err(self.table.error_at(offset, &format!("`{name}` = \"{word}\" stands for no value here")));
            }
            self.check(&sets)?;
        }
        Ok(sets.iter().map(|set| in_order(&specs, set)).collect())
    }

    /// What a key's value stands for: itself, or each entry of a list, unless the parameter is itself a list.
    fn values(&self, spec: &ParamSpec, given: Placed<Value>) -> Result<Vec<Value>, ConfigError> {
        let values = match given.value {
            Value::Array(values) if !matches!(spec.kind, ParamKind::List(_)) => values,
            value => return Ok(vec![value]),
        };
        let name = spec.name;
        if values.is_empty() {
            let why = format!("`{name}` is an empty list: write {}, or a list of such", spec.kind.allowed());
            return Err(self.table.error_at(given.offset, &why));
        }
        if let Some((_, twice)) = values.iter().enumerate().find(|(place, value)| values[..*place].contains(value)) {
            return Err(self.table.error_at(given.offset, &format!("`{name}` lists {twice} twice")));
        }
        Ok(values)
    }

    fn product(
        &self,
        sets: Vec<Params>,
        name: &str,
        values: impl Fn(&Params) -> Vec<Value>,
    ) -> Result<Vec<Params>, ConfigError> {
        let mut larger = Vec::new();
        for set in sets {
            let values = values(&set);
            self.check_count(larger.len(), values.len())?;
            larger.extend(values.into_iter().map(|value| {
                let mut set = set.clone();
                set.insert(name.to_string(), value);
                set
            }));
        }
        Ok(larger)
    }

    fn check_count(&self, there: usize, more: usize) -> Result<(), ConfigError> {
        if there.saturating_add(more) <= MOST_SETS {
            return Ok(());
        }
        Err(self.table.error_at(self.start(), &format!("[params] makes more than {MOST_SETS} sets: shorten its lists")))
    }

    fn check(&self, sets: &[Params]) -> Result<(), ConfigError> {
        for set in sets {
            if let Err(error) = self.game.start(set, self.seed) {
                let place = named_in(self.table, &error.0, "`").unwrap_or_else(|| self.start());
                return Err(self.table.error_at(place, &error.0));
            }
        }
        Ok(())
    }

    /// Where this table begins to say something.
    fn start(&self) -> usize {
        self.table.keys().first().map_or(0, |key| key.offset)
    }
}

fn defaults(specs: &[&ParamSpec]) -> Params {
    let read = |text: &str| serde_json::from_str(text).expect("a default is JSON");
    specs.iter().filter_map(|spec| Some((spec.name.to_string(), read(spec.default?)))).collect()
}

fn in_order(specs: &[&ParamSpec], set: &Params) -> Params {
    specs.iter().filter_map(|spec| Some((spec.name.to_string(), set.get(spec.name)?.clone()))).collect()
}
