/**
 * What every page needs: nodes, drawings, words, styles, and the card.
 * Nodes are built once, then changed in place, so that focus stays where it is.
 * Cards move and turn to show what happened. Only faces move: what can be pressed stays where it is.
 */

/**
 * What a card shows: `band` is its colour, `pips` repeat the band for those who do not see colours; in its corner
 * stands the same text as in its middle, or another one.
 * @typedef {{text: string, band: string, pips: number, corner?: string}} Face
 */

/**
 * How a card button stands now.
 * @typedef {object} Stand
 * @property {Face|null} face null for an empty place
 * @property {string} label what a screen reader says
 * @property {boolean} [legal] can it be pressed now
 * @property {boolean} [best] the hint's first choice
 * @property {string} [hint] by how much this choice is behind the best one
 * @property {boolean} [chosen] picked up
 * @property {boolean} [target] where the card that is picked up can go
 */

/** @type {Face} */
export const BACK = { text: "", band: "back", pips: 0 };

/**
 * A new element with attributes and children.
 * @param {string} tag
 * @param {Record<string, string>} [attributes]
 * @param {...(Node|string)} children
 * @returns {any}
 */
export function make(tag, attributes = {}, ...children) {
  const node = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) node.setAttribute(name, value);
  node.append(...children);
  return node;
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

/** With a capital letter, and a full stop if no other mark ends it. @param {string} words */
export function sentence(words) {
  const plain = words.trim();
  return plain && `${plain[0].toUpperCase()}${plain.slice(1)}${/[.!?]$/.test(plain) ? "" : "."}`;
}

/** A text that may be broken after signs, as those of agents have no spaces. @param {string} text */
export const breakable = text => text.split(/(?<=[:,=(])/).flatMap(part => [part, make("wbr")]);

/** What a seat of a kept game is called. @param {string} name @param {number} seat */
export const seatTitle = (name, seat) => (/seat \d+/.test(name) ? name : `${name} (seat ${seat + 1})`);

/** Set an attribute; null takes it away. @param {Element} node @param {string} name @param {string|null} value */
export function setAttribute(node, name, value) {
  if (value === null) node.removeAttribute(name);
  else if (node.getAttribute(name) !== value) node.setAttribute(name, value);
}

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
  make("span", { class: "face", ...more }, ...["corner", "number", "pips"].map(part => make("span", { class: part })));

/**
 * A card as a button. `key` names its place.
 * @param {string} key @param {(event: Event) => void} press
 * @returns {HTMLButtonElement}
 */
export function cardButton(key, press) {
  const button = make(
    "button",
    { type: "button", class: "card", "data-key": key },
    emptyFace({ "aria-hidden": "true" }),
  );
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
  const picture = make("span", { class: "card" }, emptyFace());
  showFace(picture, face);
  return picture;
}

/** A text with true minus signs. @param {string|number} text */
export const signed = text => String(text).replace(/-(?=\d)/g, "−");

/** A card in words, as written positions have it. @param {string|number} mark */
export const cardWords = mark => ({ "?": "hidden", ".": "cleared", "*": "star" })[mark] ?? signed(mark);

/** A place of a board in words, by what lies there. @param {string|number} mark */
export const cellWords = mark => ("?.".includes(String(mark)) ? cardWords(mark) : `open, ${cardWords(mark)}`);

/** The points of the open cards of a board, for the head of its seat. @param {Element} node @param {any[]} marks */
export function showSum(node, marks) {
  const points = marks.filter(Number.isFinite).reduce((sum, card) => sum + card, 0);
  setText(node, signed(points));
  setAttribute(node, "title", "points of the open cards");
}

/** The face of a card with a number of points. @param {number} card @returns {Face} */
export function numberFace(card) {
  const pips = card < 0 ? 0 : Math.min(4, Math.ceil(card / 4) + 1);
  return { text: signed(card), band: ["deep", "sky", "green", "yellow", "orange"][pips], pips };
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
  const grid = wideBy(cells.length / rows, make("div", { role: "grid", class: "grid" }, ...lines));
  walkWithArrows(grid, cells.length / rows);
  return grid;
}

/** How far a choice is behind the best one, in points. @param {number} lost */
export const behindWords = lost => (lost < 0.05 ? "=" : `−${lost.toFixed(1)}`);

/**
 * Where a hint belongs: on the place that one presses for some of its choices, what the best of these is worth there.
 * @param {Set<number>} best @param {Map<number, number>} [behind] by action, how far it is behind the best one
 */
export const hintsAt =
  (best, behind) =>
  (/** @type {(number|undefined)[]} */ ...actions) => {
    const lost = Math.min(...actions.map(action => behind?.get(/** @type {number} */ (action)) ?? Infinity));
    return {
      best: actions.some(action => best.has(/** @type {number} */ (action))),
      hint: lost === Infinity ? "" : behindWords(lost),
    };
  };

/** Mark where a card went and what lay there before. @param {Element} card @param {string|null} ghost null if nothing went there */
export function showMoved(card, ghost) {
  setAttribute(card, "data-moved", ghost === null ? null : "");
  setAttribute(card, "data-ghost", ghost || null);
}

/** A card over words. @param {Element} card @returns {HTMLElement} */
export const pileOf = card => make("div", { class: "pile" }, card, make("span", { class: "caption" }));

/**
 * A button with its key; what comes back shows it with a text, or hides it without one.
 * @param {Element} bar @param {string} key @param {() => void} press @param {Record<string, string>} [more] attributes
 */
export function barButton(bar, key, press, more = {}) {
  const text = make("span");
  const button = make("button", { type: "button", ...more }, text, key && make("kbd", {}, key));
  button.addEventListener("click", press);
  bar.append(button);
  return (
    /** @type {any} */ words,
    /** @type {{best: boolean, hint: string}} */ { best, hint } = { best: false, hint: "" },
  ) => {
    button.hidden = !words;
    setText(text, words || "");
    setAttribute(button, "data-best", best ? "" : null);
    setAttribute(button, "data-hint", best ? "best" : hint || null);
  };
}

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
    if (column >= 0 && column < columns) buttons[row * columns + column]?.focus();
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

/** Cards leave the table. @param {Element} card */
export function vanish(card) {
  if (still.matches) return;
  faceOf(card)?.animate(
    [
      { opacity: 1, transform: "scale(1.1)" },
      { opacity: 0.2, transform: "scale(.8)" },
    ],
    { duration: QUICK },
  );
}
