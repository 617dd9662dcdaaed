"use strict";
// What pages share on which places of a drawing are chosen: how a drawing is added to, and how arrow keys lead from place to place.

const ARROWS = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };

/// An element of a drawing.
function shape(name, attributes = {}, children = []) {
  const made = document.createElementNS("http://www.w3.org/2000/svg", name);
  for (const [attribute, value] of Object.entries(attributes)) made.setAttribute(attribute, value);
  made.append(...children);
  return made;
}

/// Left, top, width and height of a place, in the units of the drawing.
const box = (place) => ["x", "y", "width", "height"].map((side) => Number(place.getAttribute(side)));

function middle(place) {
  const [x, y, width, height] = box(place);
  return [x + width / 2, y + height / 2];
}

/// The one of these places that lies nearest in a direction.
function neighbour(from, places, [dx, dy]) {
  const [x0, y0] = middle(from);
  let [best, least] = [null, Infinity];
  for (const place of places) {
    const [x, y] = middle(place);
    const [along, across] = [(x - x0) * dx + (y - y0) * dy, Math.abs((x - x0) * dy) + Math.abs((y - y0) * dx)];
    if (along > 0.5 && along + 3 * across < least) [best, least] = [place, along + 3 * across];
  }
  return best;
}
