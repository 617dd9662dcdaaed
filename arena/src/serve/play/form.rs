//! How a match against a bot is begun: what can be chosen, and what was wished for.

use super::Refusal;
use super::session::Settings;
use crate::game::{AnyGame, ParamKind, ParamSpec, Params};
use crate::games::{GAMES, find};
use crate::seat::Seat;
use crate::seed::{SEED_LIMIT, fresh};
use crate::serve::html::{Page, text};
use crate::serve::{PageBot, Site};
use axum::extract::State;
use axum::response::Html;
use serde::Deserialize;
use serde_json::Value;
use std::net::IpAddr;
use std::sync::Arc;
use std::time::Duration;

/// The longest time for a person's move, in seconds.
const LONGEST: u64 = 3600;

/// What somebody wants to play.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Wish {
    game: String,
    #[serde(default)]
    params: Params,
    bot: String,
    /// `first`, `second`, or `lot`.
    #[serde(default)]
    side: Option<String>,
    /// The person's time for a move, in seconds; none without.
    #[serde(default)]
    seconds: Option<u64>,
    #[serde(default)]
    warn: bool,
    #[serde(default)]
    seed: Option<u64>,
}

impl Wish {
    /// What is played, when it can be.
    pub fn settings(self, site: &Site, from: IpAddr) -> Result<Settings, Refusal> {
        let game = find(&self.game).ok_or_else(|| Refusal::wrong(format!("There is no game `{}`.", self.game)))?;
        let bot = site.bots.iter().position(|bot| bot.name == self.bot && plays(bot, game));
        let bot =
            bot.ok_or_else(|| Refusal::wrong(format!("No bot `{}` plays {} here.", self.bot, game.info().title)))?;
        let seat = match self.side.as_deref() {
            None | Some("first") => Seat::First,
            Some("second") => Seat::Second,
            Some("lot") => Seat::BOTH[(fresh() % 2) as usize],
            Some(other) => return Err(Refusal::wrong(format!("The side is `{other}`: first, second or lot."))),
        };
        if let Some(seconds) = self.seconds.filter(|seconds| !(1..=LONGEST).contains(seconds)) {
            return Err(Refusal::wrong(format!("{seconds} seconds for a move: 1 to {LONGEST}, or no limit.")));
        }
        let seed = self.seed.unwrap_or_else(fresh);
        if seed >= SEED_LIMIT {
            return Err(Refusal::wrong(format!("The seed {seed} is too large: seeds are below {SEED_LIMIT}.")));
        }
        let time = self.seconds.map(Duration::from_secs);
        Ok(Settings { game, params: self.params, seed, bot, seat, time, warn: self.warn, from })
    }
}

fn plays(bot: &PageBot, game: &dyn AnyGame) -> bool {
    bot.games.as_ref().is_none_or(|games| games.iter().any(|id| id == game.info().id))
}

pub(super) async fn page(State(site): State<Arc<Site>>) -> Html<String> {
    let body = if site.bots.is_empty() {
        "<main><h1>Play</h1><p>No bot can be played against here: <code>arena serve</code> offers them.</p></main>"
            .to_string()
    } else {
        markup(&site)
    };
    Page { title: "Play", styles: &["play.css"], scripts: &["begin.js"], body }.html(&site)
}

fn markup(site: &Site) -> String {
    let offered = || GAMES.iter().copied().filter(|game| site.bots.iter().any(|bot| plays(bot, *game)));
    let games: String = offered().enumerate().map(|(index, game)| game_choice(game, index == 0)).collect();
    let params: String = offered().map(parameters).collect();
    let bots: String = site.bots.iter().map(|bot| bot_choice(bot, offered())).collect();
    include_str!("../assets/begin.html").replace("GAMES", &games).replace("PARAMS", &params).replace("BOTS", &bots)
}

fn game_choice(game: &dyn AnyGame, first: bool) -> String {
    let info = game.info();
    let checked = if first { " checked" } else { "" };
    format!(
        "<label class=\"card\"><input type=\"radio\" name=\"game\" value=\"{}\"{checked}><span><strong>{}</strong><br>{}</span></label>\n",
        text(info.id),
        text(info.title),
        text(info.summary)
    )
}

fn bot_choice<'a>(bot: &PageBot, games: impl Iterator<Item = &'a dyn AnyGame>) -> String {
    let played: Vec<&str> = games.filter(|game| plays(bot, *game)).map(|game| game.info().id).collect();
    let name = text(&bot.name);
    format!("<option value=\"{name}\" data-games=\"{}\">{name}</option>\n", text(&played.join(" ")))
}

fn parameters(game: &dyn AnyGame) -> String {
    let id = game.info().id;
    let for_people: Params = serde_json::from_str(game.info().for_people).expect("it is an object");
    let fields: String = game.params().into_iter().map(|spec| parameter(id, spec, for_people.get(spec.name))).collect();
    format!(
        "<fieldset class=\"params\" data-game=\"{0}\" hidden><legend>{1}</legend>\n{fields}</fieldset>\n",
        text(id),
        text(game.info().title)
    )
}

/// A field for a parameter. What suits people stands in it already; else its default is told.
fn parameter(game: &str, spec: &ParamSpec, suits: Option<&Value>) -> String {
    let id = text(&format!("{game}-{}", spec.name));
    let usual = spec.default.unwrap_or("left open");
    let (filled, other) = match suits {
        Some(value) => {
            let value = text(&value.to_string());
            (format!(" value=\"{value}\""), format!("; {value} suits people"))
        }
        None => (String::new(), String::new()),
    };
    let kind = match &spec.kind {
        ParamKind::Range(low, high) => format!("type=\"number\" min=\"{low}\" max=\"{high}\""),
        ParamKind::Even(low, high) => format!("type=\"number\" min=\"{low}\" max=\"{high}\" step=\"2\""),
        ParamKind::OneOf(_) => "type=\"number\"".to_string(),
        ParamKind::List(_) => "type=\"text\"".to_string(),
    };
    format!(
        "<p><label for=\"{id}\">{0}</label> <input id=\"{id}\" data-name=\"{0}\" {kind}{filled} placeholder=\"{1}\" aria-describedby=\"{id}-help\">\
         <small id=\"{id}-help\">{2}: {3}{other}</small></p>\n",
        text(spec.name),
        text(usual),
        text(spec.help),
        text(&spec.kind.allowed())
    )
}
