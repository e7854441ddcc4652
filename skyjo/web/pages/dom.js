/**
 * What every page needs: nodes, drawings, words, styles, and the card.
 * Nodes are built once, then changed in place, so that focus stays where it is.
 * Cards move and turn to show what happened. Only faces move: what can be pressed stays where it is.
 */

import { sentence, withMinus } from "./words.js";

/** @type {Face} */
export const BACK = { text: "", band: "back", pips: 0 };

/**
 * A new element, such as `make("p.note#words", { lang: "en" }, "of ", node)`: after its tag, classes and id come attributes,
 * among them functions that listen to events, and children. What is false or missing is left out.
 * @param {string} selector @param {...any} parts @returns {any}
 */
export function make(selector, ...parts) {
  const [tag, ...names] = selector.split(/(?=[.#])/);
  const node = document.createElement(tag);
  if (node instanceof HTMLButtonElement) node.type = "button";
  for (const name of names) name.startsWith("#") ? (node.id = name.slice(1)) : node.classList.add(name.slice(1));
  for (const part of parts) {
    if (part instanceof Node || typeof part === "string") node.append(part);
    else for (const [name, value] of Object.entries(part || {})) setPart(node, name, value);
  }
  return node;
}

/** @param {Element} node @param {string} name @param {any} value */
function setPart(node, name, value) {
  if (typeof value === "function") node.addEventListener(name, value);
  else if (value !== false && value !== undefined) node.setAttribute(name, value);
}

/** An SVG element. @param {string} tag @param {Record<string, any>} attributes @param {...(Node|string)} parts */
export function draw(tag, attributes, ...parts) {
  const node = document.createElementNS("http://www.w3.org/2000/svg", tag);
  for (const [name, value] of Object.entries(attributes)) node.setAttribute(name, String(value));
  node.append(...parts);
  return node;
}

/** @type {Map<string, Promise<unknown>>} the styles that were asked for */
const styles = new Map();

/** Load a style that lies beside this module, once. @param {string} name @returns {Promise<unknown>} until it is there */
export function style(name) {
  const link = make("link", { rel: "stylesheet", href: new URL(name, import.meta.url).href });
  const loaded = styles.get(name) ?? new Promise(done => (link.onload = link.onerror = done));
  if (!styles.has(name)) document.head.append(link);
  styles.set(name, loaded);
  return loaded;
}

/** @param {string} id @returns {any} */
export const byId = id => document.getElementById(id);

/** Change a text only if it differs, so that live regions stay quiet. @param {Element} node @param {string} text */
export function setText(node, text) {
  if (node.textContent !== text) node.textContent = text;
}

/** Set an attribute; null takes it away. @param {Element} node @param {string} name @param {string|null} value */
export function setAttribute(node, name, value) {
  if (value === null) node.removeAttribute(name);
  else if (node.getAttribute(name) !== value) node.setAttribute(name, value);
}

/** Say what went wrong. @param {any} error @param {string} [id] where */
export const complain = ({ message }, id = "error") => setText(byId(id), sentence(message));

/**
 * Give a parent exactly this many children.
 * @param {Element} parent @param {number} count @param {(index: number) => Element} build
 * @returns {any[]}
 */
export function children(parent, count, build) {
  while (parent.children.length > count) parent.lastElementChild?.remove();
  while (parent.children.length < count) parent.append(build(parent.children.length));
  return [...parent.children];
}

/** @param {Record<string, string>} [more] attributes */
const emptyFace = more =>
  make("span.face", { ...more }, ...["corner", "number", "pips"].map(part => make("span", { class: part })));

/**
 * A card as a button. `key` names its place.
 * @param {string} key @param {(event: Event) => void} press
 * @returns {HTMLButtonElement}
 */
export function cardButton(key, press) {
  const button = make("button.card", { "data-key": key }, emptyFace({ "aria-hidden": "true" }));
  button.addEventListener("click", press);
  return button;
}

/** @param {HTMLButtonElement} button @param {Stand} stand */
export function showCard(
  button,
  { face, label, legal = false, best = false, hint = "", chosen = false, target = false },
) {
  showFace(button, face);
  setAttribute(button, "aria-label", best ? `${label}, best choice` : hint ? `${label}, hint ${hint}` : label);
  setAttribute(button, "data-hint", best ? "best" : hint || null);
  setAttribute(button, "aria-disabled", legal ? null : "true");
  setAttribute(button, "aria-describedby", legal ? null : "why");
  setAttribute(button, "data-best", best ? "" : null);
  setAttribute(button, "data-chosen", chosen ? "" : null);
  setAttribute(button, "data-target", target ? "" : null);
}

/** @param {Element} card @param {Face|null} face */
export function showFace(card, face) {
  const [corner, number, pips] = /** @type {any} */ (faceOf(card)).children;
  setAttribute(card, "data-band", face?.band ?? "none");
  setAttribute(card, "data-long", face && face.text.length > 2 ? "" : null);
  setAttribute(card, "data-turned", face && ["6", "9"].includes(face.text) ? "" : null);
  setText(corner, face?.corner ?? face?.text ?? "");
  setText(number, face?.text ?? "");
  setText(pips, "•".repeat(face?.pips ?? 0));
}

/** A card that only shows. @param {Face|null} face @returns {HTMLElement} */
export function cardPicture(face) {
  const picture = make("span.card", emptyFace());
  showFace(picture, face);
  return picture;
}

/** The points of the open cards of a board, for the head of its seat. @param {Element} node @param {any[]} marks */
export function showSum(node, marks) {
  const points = marks.filter(Number.isFinite).reduce((sum, card) => sum + card, 0);
  setText(node, withMinus(points));
  setAttribute(node, "title", "points in open cards");
}

/** The face of a card with a number of points. @param {number} card @returns {Face} */
export function numberFace(card) {
  const pips = card < 0 ? 0 : Math.min(4, Math.ceil(card / 4) + 1);
  return { text: withMinus(card), band: ["deep", "sky", "green", "yellow", "orange"][pips], pips };
}

/** What is counted column by column, by row. @param {any[]} cells @param {number} rows @returns {any[][]} */
export const byRow = (cells, rows) =>
  Array.from({ length: rows }, (_, row) => cells.filter((__, cell) => cell % rows === row));

/** A grid of so many columns. @param {number} columns @param {any} grid */
export function wideBy(columns, grid) {
  grid.style.setProperty("--columns", columns);
  return grid;
}

/** Cards in columns and rows, with arrows between them. @param {HTMLElement[]} cells @param {number} rows */
export function gridOf(cells, rows) {
  const lines = byRow(cells, rows).map(line =>
    make("div", { role: "row" }, ...line.map(card => make("div", { role: "gridcell" }, card))),
  );
  const grid = wideBy(cells.length / rows, make("div.grid", { role: "grid" }, ...lines));
  walkWithArrows(grid, cells.length / rows);
  return grid;
}

/** Mark where a card went and what lay there before. @param {Element} card @param {string|null} ghost null if nothing went there */
export function showMoved(card, ghost) {
  setAttribute(card, "data-moved", ghost === null ? null : "");
  setAttribute(card, "data-ghost", ghost || null);
}

/** A card over words. @param {Element} card @returns {HTMLElement} */
export const pileOf = card => make("div.pile", card, make("span.caption"));

/**
 * Let the arrows walk between the buttons of a grid, row by row; it is one stop of the Tab key.
 * @param {HTMLElement} grid @param {number} columns
 * @returns {() => void} to be called after buttons have come or gone
 */
export function walkWithArrows(grid, columns) {
  const steps = { ArrowLeft: [0, -1], ArrowRight: [0, 1], ArrowUp: [-1, 0], ArrowDown: [1, 0] };
  grid.addEventListener("keydown", event => {
    const step = steps[event.key];
    const buttons = [...grid.querySelectorAll("button")];
    const here = buttons.indexOf(/** @type {HTMLButtonElement} */ (event.target));
    if (!step || here < 0) return;
    event.preventDefault();
    const isGrid = buttons.length > columns; // a single row may be broken into several on the screen
    const [row, column] = isGrid
      ? [Math.floor(here / columns) + step[0], (here % columns) + step[1]]
      : [0, here + step[0] + step[1]];
    const isThere = column >= 0 && column < columns && row * columns < buttons.length;
    if (isThere) buttons[Math.min(row * columns + column, buttons.length - 1)]?.focus(); // the last row may be short
  });
  const stopAt = stop => grid.querySelectorAll("button").forEach(one => (one.tabIndex = one === stop ? 0 : -1));
  grid.addEventListener("focusin", event => stopAt(event.target));
  const settle = () => stopAt(grid.querySelector('[tabindex="0"]') ?? grid.querySelector("button"));
  settle();
  return settle;
}

const QUICK = 240; // milliseconds
const still = matchMedia("(prefers-reduced-motion: reduce)");
const EASE = "cubic-bezier(.2,.7,.2,1)";

/** @param {Element} card @returns {HTMLElement|null} */
const faceOf = card => card.querySelector(".face");

/**
 * A card comes to its place from another one. Where both lie is worked out only once the next frame is drawn, not before it and again.
 * @param {Element} from @param {Element} to
 */
export function fly(from, to) {
  const face = faceOf(to);
  if (still.matches || document.hidden || !face) return;
  requestAnimationFrame(() => {
    const [start, end] = [from.getBoundingClientRect(), to.getBoundingClientRect()];
    const [x, y] = [start.left - end.left, start.top - end.top];
    const scale = end.width > 0 ? start.width / end.width : 1;
    const there = { zIndex: 5, transformOrigin: "0 0" };
    face.animate(
      [
        { transform: `translate(${x}px, ${y}px) scale(${scale})`, ...there },
        { transform: "none", ...there },
      ],
      { duration: QUICK, easing: EASE },
    );
  });
}

/** A card is turned up. @param {Element} card */
export function turn(card) {
  if (still.matches) return;
  faceOf(card)?.animate([{ transform: "rotateY(90deg)" }, { transform: "none" }], { duration: QUICK, easing: EASE });
}

/** A number has changed for a reason. @param {Element} node */
export function pop(node) {
  if (!still.matches)
    node.animate([{ transform: "none" }, { transform: "scale(1.6)" }, { transform: "none" }], 2 * QUICK);
}

/**
 * Cards leave the table together: they lift, gather in the middle, and words stand there.
 * @param {Element[]} cards their places @param {(Face|null)[]} faces what lay there @param {string} words
 */
export function gather(cards, faces, words) {
  const middle = cards[Math.floor(cards.length / 2)];
  const label = make("span.gain", { "aria-hidden": "true", animationend: () => label.remove() }, words);
  middle.append(label);
  if (still.matches || document.hidden) return;
  const leaving = faces.map(face => make("span.leaving", { "aria-hidden": "true" }, cardPicture(face)));
  cards.forEach((card, at) => card.append(leaving[at]));
  requestAnimationFrame(() => {
    const [to, ...boxes] = [middle, ...cards].map(card => card.getBoundingClientRect());
    boxes.forEach(({ left, top }, at) => {
      const lifted = { transform: "translateY(-12%) scale(1.06)", opacity: 1 };
      const gone = { transform: `translate(${to.left - left}px, ${to.top - top}px) scale(.7)`, opacity: 0 };
      const moved = leaving[at].animate([{ transform: "none" }, lifted, lifted, gone], 4 * QUICK);
      moved.onfinish = () => leaving[at].remove();
    });
  });
}
