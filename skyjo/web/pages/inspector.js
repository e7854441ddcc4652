/** For people who write agents: what an agent would be given in this seat, and an agent that acts once. */

import { byId, make, setAttribute, setText, style } from "./dom.js";
import { answered } from "./server.js";
import { isMine } from "./view.js";

/** A part of the observation. @typedef {{name: string, start: number, shape: number[], values: number[], meaning: string}} Slice */

const QUIET = 150; // milliseconds between two questions at least

/** @param {string} title @param {...Node} nodes */
const part = (title, ...nodes) => make("section", make("h3", title), ...nodes);

/** Numbers in rows as long as the last axis. @param {Slice} slice */
function rows({ shape, values }) {
  const length = shape.length > 1 ? shape[shape.length - 1] : values.length;
  const lines = Array.from({ length: values.length / length }, (_, row) =>
    values.slice(row * length, (row + 1) * length),
  );
  return lines.map(line => line.join(" ")).join("\n");
}

/** @param {Slice} slice */
function place({ start, shape, values }) {
  const stop = start + values.length - 1;
  return `${start === stop ? start : `${start}–${stop}`}${shape.length > 1 ? `, ${shape.join(" × ")}` : ""}`;
}

/** @param {Slice} slice */
const lines = slice => [
  make("dt", make("code", slice.name), " ", make("span", place(slice))),
  make("dd", { "data-long": slice.values.length > 1 && "" }, make("code", rows(slice))),
  make("dd.note", slice.meaning),
];

/**
 * Fill the inspector.
 * @param {any} details where it is @param {(what: string, more?: object) => void} ask @param {(words?: string) => void} refuse
 */
export async function createInspector(details, ask, refuse) {
  const head = make("p.note");
  const select = make("select#lent");
  const lend = make(
    "button",
    { click: () => (isMine(view) ? ask("lend", { agent: select.value }) : refuse()) },
    "Act once",
  );
  const note = make("p.note", "It sees what you see. The table becomes a practice table.");
  const label = make("label.field", { for: "lent" }, "Let an agent decide for you");
  const lending = make("div.lend", label, select, lend, note);
  const legal = make("ul.legal");
  const none = make("p.note", { hidden: "" }, "None now.");
  const slices = make("dl.slices");
  const position = make("textarea", { readonly: "", rows: "9", spellcheck: "false", "aria-label": "Position" });
  const [observation, written] = [part("Observation", slices), part("Position", position)];
  details.append(make("div.inspected", head, lending, part("Legal actions", legal, none), written, observation));
  void style("inspector.css");
  const { agents, opponents } = await answered("/api/start");
  select.append(...agents.map(({ name }) => make("option", { selected: opponents.includes(name) && "" }, name)));

  /** @type {View} */
  let view;
  let isWaiting = false;

  /** Nothing of a covered seat stays on the screen. */
  function cover() {
    setText(head, "Your cards are covered.");
    for (const list of [legal, slices]) list.replaceChildren();
    position.value = "";
    none.hidden = true;
  }

  function question() {
    isWaiting = false;
    if (details.open && !view.covered) ask("inspect");
  }

  return {
    /** The table has changed. @param {View} now */
    update(now) {
      view = now;
      lending.hidden = byId("undo").hidden; // both need agents in all other seats
      setAttribute(lend, "aria-disabled", isMine(view) ? null : "true");
      if (view.covered) cover();
      if (!isWaiting) setTimeout(question, QUIET);
      isWaiting = true;
    },

    /** @param {{seq: number, seat: number|null, slices: Slice[], actions: Record<string, string>, position: string|null}} told */
    show(told) {
      if (view.covered) return;
      const names = Object.entries(told.actions);
      const seat = told.seat === null ? "No seat" : `Seat ${told.seat}`;
      const counting = "Seats and decisions are counted from 0.";
      setText(head, `${seat}, decision ${told.seq}, phase ${view.phase}. ${counting}`);
      legal.replaceChildren(
        ...names.map(([action, name]) => make("li", make("code", action), " ", make("span", name))),
      );
      none.hidden = names.length > 0;
      observation.hidden = told.slices.length === 0;
      slices.replaceChildren(...told.slices.flatMap(lines));
      written.hidden = told.position === null; // without a server
      position.value = told.position || "What is seen here cannot be written as a position.";
    },
  };
}
