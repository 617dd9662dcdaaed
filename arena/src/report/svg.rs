//! A scene as one SVG element, for pages and files. Everything it needs is inside: no script, no font, no link.
//!
//! Each tone is a class and a CSS variable, `--arena-first` and so on, which a page may set; else a small palette
//! holds, one for light pages and one for dark.

use super::middle;
use crate::game::{DEEPEST, Scene, Shape, Target, Tone};
use std::fmt::Write;

/// The longer side of the drawing, in the SVG's own units.
const LONGER_SIDE: f64 = 800.0;

/// Draws the board of a scene, its caption as the label that screen readers speak. Facts are left to the page.
///
/// A place that can be chosen first is a `rect` of class `target`, with its key's JSON in `data-key`.
pub fn board_svg(scene: &Scene) -> String {
    svg(scene, &svg_style())
}

/// The same without its colours, for pages that have them in their [`look`](super::look): one may let in no style but its files'.
pub fn plain_board_svg(scene: &Scene) -> String {
    svg(scene, "")
}

fn svg(scene: &Scene, style: &str) -> String {
    let [width, height] = svg_size(scene).map(number);
    let caption = escape(&scene.caption);
    let mut out = format!(
        r#"<svg xmlns="http://www.w3.org/2000/svg" class="arena-board" role="img" aria-label="{caption}" viewBox="0 0 {width} {height}">"#
    );
    out.push('\n');
    out.push_str(style);
    out.extend(svg_parts(scene, Places::Clickable));
    out.push_str("</svg>\n");
    out
}

/// What is inside the drawing of a scene, those behind first; places that are bare and can be chosen are marked.
pub fn board_parts(scene: &Scene) -> Vec<String> {
    svg_parts(scene, Places::Marked)
}

/// How a scene's units become those of its drawing.
pub struct BoardUnits {
    origin: [f64; 2],
    scale: f64,
}

impl BoardUnits {
    /// Those of a scene.
    pub fn of(scene: &Scene) -> BoardUnits {
        let [left, top, ..] = scene.view;
        BoardUnits { origin: [left, top], scale: scale(scene) }
    }

    /// Where a point is drawn.
    pub fn point(&self, point: [f64; 2]) -> [f64; 2] {
        [0, 1].map(|axis| (point[axis] - self.origin[axis]) * self.scale)
    }

    /// How long a length is drawn.
    pub fn length(&self, length: f64) -> f64 {
        length * self.scale
    }

    /// Where a place is drawn: left, top, width, height.
    pub fn place(&self, [left, top, width, height]: [f64; 4]) -> [f64; 4] {
        let [x, y] = self.point([left, top]);
        [x, y, self.length(width), self.length(height)]
    }
}

/// What becomes of the places that can be chosen.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Places {
    /// Each can be clicked.
    Clickable,
    /// Those that are bare are marked, to be seen and no more.
    Marked,
}

/// What is inside the SVG of a scene, those behind first: a text of one or more elements for each shape and each place.
/// The same shape is the same text in every position of a match.
pub(super) fn svg_parts(scene: &Scene, places: Places) -> Vec<String> {
    let mut parts: Vec<String> = scene.shapes.iter().map(|shape| shape_part(scene, shape)).collect();
    parts.extend(choice_parts(scene));
    if places == Places::Clickable {
        parts.extend(scene.targets.iter().map(|target| part(scene, |svg| svg.target(target))));
    }
    parts.retain(|part| !part.is_empty());
    parts
}

/// The text of one shape of a scene; empty where there is nothing to see.
pub(super) fn shape_part(scene: &Scene, shape: &Shape) -> String {
    part(scene, |svg| match shape {
        Shape::Line { from, to, tone, arrow: true } => svg.arrow(*from, *to, clearance(scene, *to), *tone),
        _ => svg.shape(shape),
    })
}

/// Whether a shape of a scene is drawn by what it is and by the scene's view alone.
pub(super) fn stands_alone(shape: &Shape) -> bool {
    !matches!(shape, Shape::Line { arrow: true, .. })
}

/// The texts of the marks on bare places that can be chosen.
pub(super) fn choice_parts(scene: &Scene) -> impl Iterator<Item = String> {
    bare_places(scene).into_iter().map(|place| part(scene, |svg| svg.choice(place)))
}

fn part(scene: &Scene, draw: impl FnOnce(&mut Svg)) -> String {
    let [left, top, ..] = scene.view;
    let mut svg = Svg { out: String::new(), origin: [left, top], scale: scale(scene) };
    draw(&mut svg);
    svg.out
}

/// Width and height of a scene's SVG, in its own units.
pub(super) fn svg_size(scene: &Scene) -> [f64; 2] {
    let [_, _, width, height] = scene.view;
    [width, height].map(|side| side * scale(scene))
}

fn scale(scene: &Scene) -> f64 {
    let [_, _, width, height] = scene.view;
    LONGER_SIDE / width.max(height).max(f64::MIN_POSITIVE)
}

struct Svg {
    out: String,
    origin: [f64; 2],
    scale: f64,
}

impl Svg {
    fn tag(&mut self, tag: std::fmt::Arguments<'_>) {
        self.out.write_fmt(tag).expect("a string takes everything");
        self.out.push('\n');
    }

    fn shape(&mut self, shape: &Shape) {
        match shape {
            Shape::Cell { at, tone, shade, text } => {
                let place = self.rectangle(*at);
                self.tag(format_args!(r#"<rect class="cell {}" {place}/>"#, class(*tone)));
                if *shade > 0 {
                    let depth = number(depth(*shade));
                    self.tag(format_args!(r#"<rect class="deep-{}" fill-opacity="{depth}" {place}/>"#, class(*tone)));
                }
                let height = (0.5 * at[3]).min(1.4 * at[2] / text.chars().count().max(2) as f64);
                self.text(middle(*at), text, height, &format!("on-{}", class(*tone)));
            }
            Shape::Disc { centre, radius, tone, text } => {
                let [x, y] = self.point(*centre);
                let radius_here = number(radius * self.scale);
                self.tag(format_args!(
                    r#"<circle class="disc {}" cx="{x}" cy="{y}" r="{radius_here}"/>"#,
                    class(*tone)
                ));
                let height = (1.3 * radius).min(2.4 * radius / text.chars().count().max(1) as f64);
                self.text(*centre, text, height, &format!("on-{}", class(*tone)));
            }
            Shape::Polygon { points, tone } => self.polygon(points, *tone),
            Shape::Line { from, to, tone, .. } => self.line(*from, *to, *tone),
            Shape::Label { at, text, height, tone } => self.text(*at, text, *height, class(*tone)),
        }
    }

    fn text(&mut self, at: [f64; 2], text: &str, height: f64, class: &str) {
        if text.is_empty() {
            return;
        }
        // Letters are about 0.72 of a font's size high: half of that below the middle stands the line they stand on.
        let [x, y] = self.point([at[0], at[1] + 0.36 * height]);
        let size = number(height * self.scale);
        self.tag(format_args!(r#"<text class="{class}" x="{x}" y="{y}" font-size="{size}">{}</text>"#, escape(text)));
    }

    fn polygon(&mut self, points: &[[f64; 2]], tone: Tone) {
        let corners: Vec<String> = points.iter().map(|&point| self.point(point).join(",")).collect();
        self.tag(format_args!(r#"<polygon class="{}" points="{}"/>"#, class(tone), corners.join(" ")));
    }

    fn line(&mut self, from: [f64; 2], to: [f64; 2], tone: Tone) {
        let ([x1, y1], [x2, y2]) = (self.point(from), self.point(to));
        self.tag(format_args!(r#"<line class="stroke-{}" x1="{x1}" y1="{y1}" x2="{x2}" y2="{y2}"/>"#, class(tone)));
    }

    /// Ends so far before its end, but no nearer to its beginning than half its length.
    fn arrow(&mut self, from: [f64; 2], to: [f64; 2], clearance: f64, tone: Tone) {
        let along = [to[0] - from[0], to[1] - from[1]];
        let length = along[0].hypot(along[1]);
        if length > 0.0 {
            let [dx, dy] = along.map(|part| part / length);
            let back = |by: f64| [to[0] - by * dx, to[1] - by * dy];
            let gap = clearance.min(0.5 * length);
            let head = (14.0 / self.scale).min(0.8 * (length - gap));
            let (tip, [x, y], half) = (back(gap), back(gap + head), 0.5 * head);
            self.line(from, [x, y], tone);
            self.polygon(&[tip, [x - half * dy, y + half * dx], [x + half * dy, y - half * dx]], tone);
        }
    }

    fn choice(&mut self, place: [f64; 4]) {
        let [x, y] = self.point(middle(place));
        let radius = number(0.12 * place[2].min(place[3]) * self.scale);
        self.tag(format_args!(r#"<circle class="choice" cx="{x}" cy="{y}" r="{radius}"/>"#));
    }

    fn target(&mut self, target: &Target) {
        let Some(at) = target.at else { return };
        let (place, label, key) = (self.rectangle(at), escape(&target.label), escape(&target.key.to_string()));
        self.tag(format_args!(r#"<rect class="target" data-key="{key}" {place}><title>{label}</title></rect>"#));
    }

    fn rectangle(&self, [left, top, width, height]: [f64; 4]) -> String {
        let [x, y] = self.point([left, top]);
        let (width, height) = (number(width * self.scale), number(height * self.scale));
        format!(r#"x="{x}" y="{y}" width="{width}" height="{height}""#)
    }

    fn point(&self, point: [f64; 2]) -> [String; 2] {
        [0, 1].map(|axis| number((point[axis] - self.origin[axis]) * self.scale))
    }
}

/// How far around a point an arrow would hide what is written there.
fn clearance(scene: &Scene, [x, y]: [f64; 2]) -> f64 {
    let around = scene.shapes.iter().map(|shape| match shape {
        Shape::Disc { centre, radius, .. } if (centre[0] - x).hypot(centre[1] - y) < 0.5 * radius => *radius,
        Shape::Cell { at, text, .. } if !text.is_empty() && holds(*at, [x, y]) => 0.3 * at[2].min(at[3]),
        _ => 0.0,
    });
    around.fold(0.0, f64::max)
}

/// The places that can be chosen first and hold no disc and no text.
fn bare_places(scene: &Scene) -> Vec<[f64; 4]> {
    let places = scene.places();
    // From left to right, so that each shape is held against its neighbours only: there may be a thousand of both.
    let mut middles: Vec<([f64; 2], usize)> = places.iter().map(|place| middle(*place)).zip(0..).collect();
    middles.sort_by(|(a, _), (b, _)| a[0].total_cmp(&b[0]));
    let mut bare = vec![true; places.len()];
    for shape in &scene.shapes {
        let (left, right) = match shape {
            Shape::Disc { centre, radius, .. } => (centre[0] - radius, centre[0] + radius),
            Shape::Cell { at, text, .. } if !text.is_empty() => (at[0], at[0] + at[2]),
            _ => continue,
        };
        let from = middles.partition_point(|(at, _)| at[0] < left);
        for ([x, y], place) in middles[from..].iter().take_while(|(at, _)| at[0] <= right) {
            bare[*place] &= !match shape {
                Shape::Disc { centre, radius, .. } => (centre[0] - x).hypot(centre[1] - y) < *radius,
                Shape::Cell { at, .. } => holds(*at, [*x, *y]),
                _ => false,
            };
        }
    }
    places.into_iter().zip(bare).filter_map(|(place, bare)| bare.then_some(place)).collect()
}

fn holds([left, top, width, height]: [f64; 4], [x, y]: [f64; 2]) -> bool {
    (left..left + width).contains(&x) && (top..top + height).contains(&y)
}

/// At most two decimals: a fiftieth of what an eye could see.
fn number(value: f64) -> String {
    ((value * 100.0).round() / 100.0 + 0.0).to_string()
}

/// Makes text safe inside elements and attributes.
pub(super) fn escape(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace('"', "&quot;")
}

fn class(tone: Tone) -> &'static str {
    match tone {
        Tone::Board => "board",
        Tone::BoardOther => "board-other",
        Tone::First => "first",
        Tone::Second => "second",
        Tone::Neutral => "neutral",
        Tone::Last => "last",
        Tone::Choice => "choice",
        Tone::Alarm => "alarm",
        Tone::Ink => "ink",
    }
}

/// A tone's colours: itself, and what is written on it, on light pages and on dark ones.
const PALETTE: [(Tone, [&str; 2], [&str; 2]); 9] = [
    (Tone::Board, ["#5f9e7c", "#10261b"], ["#2f6149", "#e3efe8"]),
    (Tone::BoardOther, ["#7fb092", "#10261b"], ["#3b7459", "#e3efe8"]),
    (Tone::First, ["#1b222c", "#f8f6f0"], ["#10151b", "#f1eee6"]),
    (Tone::Second, ["#fbf9f3", "#1b222c"], ["#ece8dd", "#10151b"]),
    (Tone::Neutral, ["#cfcabd", "#3a3a36"], ["#596068", "#e6e8ea"]),
    (Tone::Last, ["#dda62b", "#1b222c"], ["#b8922f", "#10151b"]),
    (Tone::Choice, ["#1f4d38", "#fbf9f3"], ["#a9d9bf", "#10151b"]),
    (Tone::Alarm, ["#c23b2a", "#fbf9f3"], ["#ec6a57", "#10151b"]),
    (Tone::Ink, ["#2c333b", "#fbf9f3"], ["#d3d9df", "#10151b"]),
];

/// How much of a tone's deepest colour lies over the tone itself: from 0 to 1.
fn depth(shade: u8) -> f64 {
    f64::from(shade.min(DEEPEST)) / f64::from(DEEPEST)
}

/// The deepest colours of the tones that have shades, on light pages and on dark ones: blue and orange, which everybody can
/// tell apart. What is written on a tone can be read on each of its shades.
const DEEP: [(Tone, &str, &str); 3] =
    [(Tone::First, "#2763ad", "#255da6"), (Tone::Second, "#f0a93a", "#dc982c"), (Tone::Neutral, "#a3ad9b", "#3d4752")];

/// The rules that an SVG of class `arena-board` is coloured by.
fn svg_style() -> String {
    format!("<style>\n{}</style>\n", svg_rules())
}

/// The same without the element around them. What is written beside a shape in a tone that is light for text is darker
/// than the shape, and the other way round on dark pages.
pub(super) fn svg_rules() -> String {
    let (mut light, mut dark) = (String::new(), String::new());
    for (tone, on_light, on_dark) in PALETTE {
        light.push_str(&rules(class(tone), on_light));
        dark.push_str(&rules(class(tone), on_dark));
    }
    for (tone, on_light, on_dark) in DEEP {
        let name = format!("deep-{}", class(tone));
        light.push_str(&rule(&name, "fill", &name, on_light));
        dark.push_str(&rule(&name, "fill", &name, on_dark));
    }
    format!(
        ".arena-board text{{font-family:system-ui,sans-serif;text-anchor:middle}}\n\
         .arena-board .cell{{stroke:#000;stroke-opacity:.28;stroke-width:1.5}}\n\
         .arena-board .disc{{stroke:#000;stroke-opacity:.45;stroke-width:1.5}}\n\
         .arena-board line{{stroke-width:3;stroke-linecap:round}}\n\
         .arena-board text.last,.arena-board .on-first,.arena-board .on-second{{font-weight:600}}\n\
         .arena-board .target{{fill:#000;fill-opacity:0;cursor:pointer}}\n\
         .arena-board .target:hover{{fill-opacity:.15}}\n\
         {light}.arena-board .cell.first{{stroke:#fff}}\n\
         .arena-board text.neutral{{fill:#6b665c}}\n\
         .arena-board text.last{{fill:#7d5800}}\n\
         @media (prefers-color-scheme:dark){{\n{dark}\
         .arena-board .cell,.arena-board .disc{{stroke:#fff;stroke-opacity:.3}}\n\
         .arena-board text.neutral{{fill:#a3adb7}}\n\
         .arena-board text.last{{fill:#e6bd5a}}}}\n"
    )
}

fn rules(class: &str, [colour, on]: [&str; 2]) -> String {
    let on_it = format!("on-{class}");
    [
        rule(class, "fill", class, colour),
        rule(&on_it, "fill", &on_it, on),
        rule(&format!("stroke-{class}"), "stroke", class, colour),
    ]
    .concat()
}

/// The plain colour stands before the variable, for viewers that do not know variables.
fn rule(name: &str, property: &str, variable: &str, colour: &str) -> String {
    format!(".arena-board .{name}{{{property}:{colour};{property}:var(--arena-{variable},{colour})}}\n")
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Red, green and blue, from 0 to 255.
    fn colour(text: &str) -> [f64; 3] {
        [1, 3, 5].map(|at| f64::from(u8::from_str_radix(&text[at..at + 2], 16).expect("two digits")))
    }

    /// The ratio of contrast, as the guidelines for accessible pages define it.
    fn contrast(a: [f64; 3], b: [f64; 3]) -> f64 {
        let luminance = |colour: [f64; 3]| {
            let linear = colour.map(|part| match part / 255.0 {
                low @ ..=0.04045 => low / 12.92,
                high => ((high + 0.055) / 1.055).powf(2.4),
            });
            0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2] + 0.05
        };
        let (a, b) = (luminance(a), luminance(b));
        a.max(b) / a.min(b)
    }

    #[test]
    fn text_can_be_read_on_every_shade() {
        for (tone, light, dark) in DEEP {
            let own = PALETTE.iter().find(|own| own.0 == tone).expect("each tone is in the palette");
            for ([plain, on], deep) in [(own.1, light), (own.2, dark)] {
                let mut looks = Vec::new();
                for shade in 0..=DEEPEST + 1 {
                    let mixed = [0, 1, 2].map(|part| {
                        let (plain, deep) = (colour(plain)[part], colour(deep)[part]);
                        plain + (deep - plain) * depth(shade)
                    });
                    let ratio = contrast(mixed, colour(on));
                    assert!(ratio >= 4.5, "{tone:?}, shade {shade}: {ratio}");
                    looks.push(mixed);
                }
                assert_eq!(looks[looks.len() - 2], looks[looks.len() - 1], "no shade is deeper than the deepest");
                looks.dedup();
                assert_eq!(looks.len(), usize::from(DEEPEST) + 1, "{tone:?}: every shade is another");
            }
        }
    }
}
