/** A field for every rule that can be changed; all of them together are the text that the worker reads. */

import { make } from "./dom.js";
import { isOn } from "./storage.js";

/** @param {string} word such as highest_sum */
const plain = word => ({ true: "yes", false: "no" })[word] ?? word.replaceAll("_", " ");

/**
 * Build the fields, and keep them and the text alike.
 * @param {Element} box @param {Rule[]} rules @param {HTMLInputElement} text
 * @returns {() => void} takes over what the text says
 */
export function createRulesForm(box, rules, text) {
  const fields = rules.map(rule => ({ ...rule, input: inputOf(rule) }));

  function read() {
    const given = new Map(text.value.split(/\s+/).map(word => /** @type {[string, string]} */ (word.split("=", 2))));
    for (const { name, usual, input } of fields) input.value = given.get(name) ?? String(usual);
  }

  function write() {
    const changed = fields.filter(({ usual, input }) => input.value.trim() !== String(usual));
    text.value = changed.map(({ name, input }) => `${name}=${input.value.trim()}`).join(" ");
  }

  const labels = fields.map(({ name, words, clause, input }) =>
    make(
      "label.rule",
      make("span", words, " ", make("span.note", `clause ${clause}${isOn("developer") ? `, ${name}` : ""}`)),
      input,
    ),
  );
  box.replaceChildren(...labels);
  box.addEventListener("input", write);
  text.addEventListener("input", read);
  read();
  return read;
}

/** @param {Rule} rule */
function inputOf({ usual, choices, range }) {
  const named = word => (word === String(usual) ? `${plain(word)} (official)` : plain(word));
  if (choices) return make("select", ...choices.map(value => make("option", { value }, named(value))));
  if (range) return make("input", { type: "number", min: range[0], max: range[1], required: "" });
  return make("input", { type: "text", autocomplete: "off", spellcheck: "false", placeholder: "official" });
}
