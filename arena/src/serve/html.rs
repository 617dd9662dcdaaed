//! What all pages have in common: head, the way around, and how plain text becomes part of markup.

use super::{Site, paper, play};
pub(super) use crate::report::plain_text as text;

use axum::response::Html;

/// A page: its title (plain text), the names of further styles and scripts in `assets/`, its body (markup).
pub(super) struct Page<'a> {
    pub title: &'a str,
    pub styles: &'a [&'a str],
    pub scripts: &'a [&'a str],
    pub body: String,
}

impl Page<'_> {
    /// The whole of it.
    pub fn html(&self, site: &Site) -> Html<String> {
        let styles: String = ["look.css", "site.css"]
            .iter()
            .chain(self.styles)
            .map(|name| format!("<link rel=\"stylesheet\" href=\"/assets/{name}\">\n"))
            .collect();
        let scripts: String =
            self.scripts.iter().map(|name| format!("<script src=\"/assets/{name}\" defer></script>\n")).collect();
        let title = text(self.title);
        let ways: String =
            ways(site).iter().map(|way| format!("<a href=\"{}\">{}</a>", way.address, way.name)).collect();
        Html(format!(
            "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n\
             <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n\
             <meta name=\"color-scheme\" content=\"light dark\">\n<title>{title}</title>\n{styles}{scripts}</head>\n\
             <body>\n<a class=\"skip\" href=\"#content\">To the content</a>\n<nav id=\"ways\" aria-label=\"Pages\">{ways}</nav>\n\
             <div id=\"content\">\n{}</div>\n</body>\n</html>\n",
            self.body
        ))
    }
}

/// A page that can be reached from everywhere.
pub(super) struct Way {
    pub address: &'static str,
    pub name: &'static str,
    /// What can be done there, where somebody is to be invited.
    pub invitation: Option<&'static str>,
}

/// All of them. Where nothing can be played there is no way to it.
pub(super) fn ways(site: &Site) -> Vec<Way> {
    let play = Way { address: play::ADDRESS, name: "Play", invitation: Some("Play against a bot") };
    let paper = Way { address: paper::ADDRESS, name: "The Paper", invitation: Some("Play against the Paper") };
    let mut ways = vec![Way { address: "/", name: "Cups", invitation: None }];
    ways.extend((!site.bots.is_empty()).then_some(play));
    ways.extend(site.paper.is_some().then_some(paper));
    ways
}
