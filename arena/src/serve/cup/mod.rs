//! The pages of a cup: its tables, live while it is played; its matches, page by page; each bot in it; and what goes round on a wall.
//!
//! Whose is what: [`view`] is a cup as its folder tells it, [`cache`] sees to it that it is not read more often than can be borne,
//! [`live`] tells whoever looks what has changed, [`list`] is the line of each cup among the others, and the rest is a page each.

mod bots;
mod cache;
pub(super) mod list;
mod live;
mod matches;
mod view;
pub(super) mod wall;

use super::html::{Page, text};
use super::match_page::cup_address;
use super::{Site, lock, without_folder};
use axum::Router;
use axum::extract::{Path, Query, State};
use axum::http::StatusCode;
use axum::response::{Html, IntoResponse, Response};
use axum::routing::get;
use cache::Cache;
use serde::Deserialize;
use std::path::PathBuf;
use std::sync::{Arc, Mutex};
use tokio::sync::Semaphore;
use view::View;

/// So many cups, or parameter sets of cups, are kept as they were read.
const VIEWS: usize = 12;

type Views = Vec<((PathBuf, Option<usize>), Arc<Cache<Result<View, String>>>)>;

/// What is known of cups.
pub(super) struct Cups {
    /// Those that were asked for last, the latest at the end.
    views: Mutex<Views>,
    list: Cache<Vec<list::Line>>,
    known: Arc<Mutex<list::Known>>,
    looked: live::Looked,
    /// Whoever reads a cup holds this: one at a time.
    place: Arc<Semaphore>,
}

impl Default for Cups {
    fn default() -> Cups {
        let place = Arc::new(Semaphore::new(1));
        Cups { views: Mutex::default(), list: Cache::default(), known: Arc::default(), looked: Mutex::default(), place }
    }
}

/// Why a cup cannot be shown.
enum Trouble {
    /// There is none of this name.
    Missing,
    /// It is damaged, or no cup's: why, in a sentence.
    Unreadable(String),
    /// It has no parameter set of this number, from 0, but so many.
    NoSuchSet(usize, usize),
}

/// A cup that was read.
struct Seen(Arc<Result<View, String>>);

impl std::ops::Deref for Seen {
    type Target = View;

    fn deref(&self) -> &View {
        // One that could not be read is told as trouble, and is never made one of these.
        self.0.as_ref().as_ref().unwrap_or_else(|_| unreachable!("it was looked at"))
    }
}

impl Cups {
    /// A cup, counted as a whole or by one parameter set, from 0.
    async fn view(site: &Site, name: &str, set: Option<usize>) -> Result<Seen, Trouble> {
        let folder = site.cup_folder(name).ok_or(Trouble::Missing)?;
        site.stays_inside(&folder).map_err(Trouble::Unreadable)?;
        let key = (folder, set);
        let is_known = |(known, _): &((PathBuf, Option<usize>), _)| *known == key;
        // Numbers that are made up must not drive out what others look at.
        if set.is_some() && !lock(&site.cups.views).iter().any(is_known) {
            Cups::read(site, name, (key.0.clone(), None)).await?.has_set(set)?;
        }
        Cups::read(site, name, key).await
    }

    async fn read(site: &Site, name: &str, (folder, set): (PathBuf, Option<usize>)) -> Result<Seen, Trouble> {
        let kept = {
            let mut views = lock(&site.cups.views);
            let key = (folder.clone(), set);
            let at = views.iter().position(|(known, _)| *known == key);
            let found = at.map_or_else(|| (key, Arc::default()), |at| views.remove(at));
            let kept = Arc::clone(&found.1);
            if views.len() == VIEWS {
                views.remove(0);
            }
            views.push(found);
            kept
        };
        let (stamp, place, name) = (view::stamp(&folder), Arc::clone(&site.cups.place), name.to_string());
        let made = kept.get(Some(stamp), place, move || {
            View::read(&folder, &name, set).map_err(|why| without_folder(&why, &folder))
        });
        let view = made.await.ok_or_else(|| Trouble::Unreadable("it could not be read".to_string()))?;
        match &*view {
            Ok(_) => Ok(Seen(view)),
            Err(why) => Err(Trouble::Unreadable(why.clone())),
        }
    }
}

pub(super) fn routes() -> Router<Arc<Site>> {
    Router::new()
        .route("/cup/{name}", get(cup))
        .route("/cup/{name}/live", get(live))
        .route("/cup/{name}/part/{part}", get(part))
        .route("/cup/{name}/matches", get(matches::page))
        .route("/cup/{name}/bot/{bot}", get(bots::page))
}

/// What may stand behind the `?` of a cup's page.
#[derive(Deserialize)]
struct Asked {
    /// A parameter set, from 1.
    set: Option<String>,
    /// What is to be on the wall.
    wall: Option<String>,
    /// Which page of the table on the wall, from 1.
    page: Option<String>,
    /// How long each page stays on the wall.
    every: Option<String>,
}

impl Asked {
    fn set(&self) -> Option<usize> {
        set_from(self.set.as_deref())
    }
}

/// The parameter set, from 0, that is named in an address, from 1. Whatever is no number names none.
fn set_from(text: Option<&str>) -> Option<usize> {
    text?.parse::<usize>().ok()?.checked_sub(1)
}

async fn cup(State(site): State<Arc<Site>>, Path(name): Path<String>, Query(asked): Query<Asked>) -> Response {
    if let Some(step) = &asked.wall {
        return wall::page(&site, &name, step, asked.page.as_deref(), wall::Pace::read(asked.every.as_deref())).await;
    }
    match Cups::view(&site, &name, asked.set()).await {
        Ok(view) => cup_page(&site, &view).into_response(),
        Err(trouble) => trouble.page(&site, &name),
    }
}

fn cup_page(site: &Site, view: &View) -> Html<String> {
    let page = view.page();
    let set = view.set.map(|set| format!("?set={}", set + 1)).unwrap_or_default();
    let live = format!("{}/live{set}", view.address());
    let parts: String = view
        .parts
        .iter()
        .map(|part| {
            let (name, hash) = (part.name, &part.hash);
            let from = format!("{}/part/{name}{set}", view.address());
            format!(
                "<div class=\"part\" data-part=\"{name}\" data-hash=\"{hash}\" data-from=\"{from}\">{}</div>\n",
                part.markup
            )
        })
        .collect();
    let body = format!(
        "<main id=\"cup\" data-live=\"{live}\">\n<header>\n<h1>{}</h1>\n<p id=\"about\">{} · {} · {} bots</p>\n\
         <p class=\"links\"><a href=\"{here}/matches\">All matches</a> <a href=\"{here}?wall\">For a wall</a></p>\n\
         <p class=\"trouble\" id=\"line\" role=\"status\" hidden>The line to the arena is broken. It is tried again.</p>\n\
         {}</header>\n{parts}</main>\n",
        text(&view.name),
        text(page.game),
        text(page.format),
        view.entrants.len(),
        set_filter(view),
        here = view.address()
    );
    Page { title: &view.name, styles: &["cup.css"], scripts: &["cup.js"], body }.html(site)
}

/// The choice of a parameter set, where there are several.
fn set_filter(view: &View) -> String {
    match set_choice(view, view.set) {
        choice if choice.is_empty() => choice,
        choice => format!(
            "<form class=\"filter\" method=\"get\" action=\"{}\">{choice}<button>Show</button></form>\n",
            view.address()
        ),
    }
}

/// The list of parameter sets in a form, where there are several.
fn set_choice(view: &View, chosen: Option<usize>) -> String {
    let labels = crate::report::set_labels(&view.setup.field.sets);
    if labels.len() < 2 {
        return String::new();
    }
    let labels = std::iter::once((String::new(), "all".to_string()))
        .chain(labels.into_iter().zip(1..).map(|(label, number)| (number.to_string(), format!("{number}: {label}"))));
    let chosen = chosen.map(|set| (set + 1).to_string()).unwrap_or_default();
    format!("<label>Parameters {}</label>\n", choice("set", labels, &chosen))
}

/// A list to choose from in a form: values with what they are called, in plain text.
fn choice(name: &str, options: impl Iterator<Item = (String, String)>, chosen: &str) -> String {
    let option = |(value, label): (String, String)| {
        let selected = if value == chosen { " selected" } else { "" };
        format!("<option value=\"{}\"{selected}>{}</option>", text(&value), text(&label))
    };
    format!("<select name=\"{name}\">{}</select>", options.map(option).collect::<String>())
}

async fn live(State(site): State<Arc<Site>>, Path(name): Path<String>, Query(asked): Query<Asked>) -> Response {
    match Cups::view(&site, &name, asked.set()).await {
        Ok(view) => live::tell(&site, &name, asked.set(), &view),
        Err(trouble) => trouble.page(&site, &name),
    }
}

async fn part(
    State(site): State<Arc<Site>>,
    Path((name, part)): Path<(String, String)>,
    Query(asked): Query<Asked>,
) -> Response {
    let view = match Cups::view(&site, &name, asked.set()).await {
        Ok(view) => view,
        Err(trouble) => return trouble.page(&site, &name),
    };
    match view.parts.iter().find(|known| known.name == part) {
        Some(part) => ([("x-part-hash", part.hash.clone())], Html(part.markup.clone())).into_response(),
        None => StatusCode::NOT_FOUND.into_response(),
    }
}

impl View {
    /// Whether it has this parameter set; each has none, which is all of them.
    fn has_set(&self, set: Option<usize>) -> Result<(), Trouble> {
        let sets = self.setup.field.sets.len();
        match set {
            Some(set) if set >= sets => Err(Trouble::NoSuchSet(set, sets)),
            _ => Ok(()),
        }
    }
}

impl Trouble {
    /// A page that says so, with a way back.
    fn page(&self, site: &Site, name: &str) -> Response {
        let cup = cup_address(name);
        let (status, heading, why, back, whither) = match self {
            Trouble::Missing => (StatusCode::NOT_FOUND, "There is no such cup", String::new(), "/", "All cups"),
            Trouble::Unreadable(why) => {
                (StatusCode::INTERNAL_SERVER_ERROR, "This cup cannot be shown", text(why), "/", "All cups")
            }
            Trouble::NoSuchSet(set, sets) => {
                let why = format!("Set {} was asked for; they are counted from 1 to {sets}.", set.saturating_add(1));
                (StatusCode::NOT_FOUND, "There is no such parameter set", why, cup.as_str(), "The cup")
            }
        };
        gone(site, status, heading, &format!("<p><b>{}</b></p>\n<p>{why}</p>", text(name)), back, whither)
    }
}

/// A page for what is not there: what is to be said is markup, the way back an address and plain text.
fn gone(site: &Site, status: StatusCode, heading: &str, says: &str, back: &str, name: &str) -> Response {
    let body = format!(
        "<main>\n<section>\n<h1>{heading}</h1>\n{says}\n<p><a href=\"{back}\">{}</a></p>\n</section>\n</main>\n",
        text(name)
    );
    (status, Page { title: heading, styles: &["cup.css"], scripts: &[], body }.html(site)).into_response()
}
