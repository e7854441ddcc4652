/** For people who write agents: what an agent would be given in this seat, and an agent that acts once. */

import { byId, children, make, setAttribute, setText, style } from "./dom.js";
import { answered } from "./server.js";
import { isMine } from "./view.js";

/**
 * A part of the observation.
 * @typedef {{name: string, start: number, shape: number[], values: number[], meaning: string}} Slice
 * @typedef {{seq: number, seat: number|null, slices: Slice[], actions: Record<string, string>, position: string|null}} Inspected
 */

const QUIET = 150; // milliseconds between two questions at least

/** @param {string} title @param {...Node} nodes */
const part = (title, ...nodes) => make("section", {}, make("h3", {}, title), ...nodes);

/** Numbers in rows as long as the last axis. @param {Slice} slice */
function rows({ shape, values }) {
  const length = shape.length > 1 ? shape[shape.length - 1] : values.length;
  return Array.from({ length: values.length / length }, (_, row) =>
    values.slice(row * length, (row + 1) * length).join(" "),
  ).join("\n");
}

/** @param {Slice} slice */
function place({ start, shape, values }) {
  const stop = start + values.length - 1;
  return `${start === stop ? start : `${start}–${stop}`}${shape.length > 1 ? `, ${shape.join(" × ")}` : ""}`;
}

/**
 * Fill the inspector.
 * @param {any} details where it is @param {(what: string, more?: object) => void} ask @param {(words?: string) => void} refuse
 */
export async function createInspector(details, ask, refuse) {
  const head = make("p", { class: "note" });
  const select = make("select", { id: "lent" });
  const lend = make("button", { type: "button" }, "Act once");
  const note = make("p", { class: "note" }, "It sees what you see. The table becomes a practice table.");
  const lending = make(
    "div",
    { class: "lend" },
    make("label", { for: "lent", class: "field" }, "Let an agent decide for you"),
    select,
    lend,
    note,
  );
  const legal = make("ul", { class: "legal" });
  const none = make("p", { class: "note" }, "None now.");
  none.hidden = true;
  const slices = make("dl", { class: "slices" });
  const position = make("textarea", { readonly: "", rows: "9", spellcheck: "false", "aria-label": "Position" });
  const [observation, written] = [part("Observation", slices), part("Position", position)];
  details.append(
    make("div", { class: "inspected" }, head, lending, part("Legal actions", legal, none), written, observation),
  );
  void style("inspector.css");
  const { agents, opponents } = await answered("/api/start");
  select.append(...agents.map(({ name }) => make("option", opponents.includes(name) ? { selected: "" } : {}, name)));

  /** @type {any} */
  let view;
  let isWaiting = false;
  lend.addEventListener("click", () => (isMine(view) ? ask("lend", { agent: select.value }) : refuse()));

  /** Nothing of a covered seat stays on the screen. */
  function cover() {
    setText(head, "Your cards are covered.");
    legal.replaceChildren();
    slices.replaceChildren();
    position.value = "";
    none.hidden = true;
  }

  function question() {
    isWaiting = false;
    if (details.open && !view.covered) ask("inspect");
  }

  return {
    /** The table has changed. @param {any} now */
    update(now) {
      view = now;
      lending.hidden = byId("undo").hidden; // both need agents in all other seats
      setAttribute(lend, "aria-disabled", isMine(view) ? null : "true");
      if (view.covered) cover();
      if (!isWaiting) setTimeout(question, QUIET);
      isWaiting = true;
    },

    /** @param {Inspected} told */
    show(told) {
      if (view.covered) return;
      const names = Object.entries(told.actions);
      setText(
        head,
        `${told.seat === null ? "No seat" : `Seat ${told.seat}`}, decision ${told.seq}, phase ${view.phase}. Seats and decisions are counted from 0.`,
      );
      children(legal, names.length, () => make("li", {}, make("code"), " ", make("span"))).forEach((line, index) => {
        [...line.children].forEach((node, column) => setText(node, names[index][column]));
      });
      none.hidden = names.length > 0;
      observation.hidden = told.slices.length === 0;
      const nodes = children(slices, 3 * told.slices.length, index =>
        index % 3 === 0
          ? make("dt", {}, make("code"), " ", make("span"))
          : make("dd", index % 3 === 2 ? { class: "note" } : {}, ...(index % 3 === 1 ? [make("code")] : [])),
      );
      told.slices.forEach((slice, index) => {
        const [title, values, meaning] = nodes.slice(3 * index);
        setText(title.firstChild, slice.name);
        setText(title.lastChild, place(slice));
        setText(values.firstChild, rows(slice));
        setAttribute(values, "data-long", slice.values.length > 1 ? "" : null);
        setText(meaning, slice.meaning);
      });
      written.hidden = told.position === null; // without a server
      position.value = told.position || "What is seen here cannot be written as a position.";
    },
  };
}
