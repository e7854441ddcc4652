/** A field for every rule that can be changed; all of them together are the text that the server reads. */

import { make } from "./dom.js";

/**
 * @typedef {{name: string, usual: string|number, clause: string, words: string, choices?: string[], range?: [number, number]}} Rule
 */

/** @param {string} word such as highest_sum */
const plain = word => ({ true: "yes", false: "no" })[word] ?? word.replaceAll("_", " ");

/**
 * Build the fields, and keep them and the text alike.
 * @param {Element} box @param {Rule[]} rules @param {HTMLInputElement} text
 * @returns {{read: () => void}} read takes over what the text says
 */
export function createRulesForm(box, rules, text) {
  const fields = rules.map(rule => ({ rule, input: inputOf(rule) }));

  function read() {
    const given = new Map(text.value.split(/\s+/).map(word => /** @type {[string, string]} */ (word.split("=", 2))));
    for (const { rule, input } of fields) input.value = given.get(rule.name) ?? String(rule.usual);
  }

  function write() {
    const changed = fields.filter(({ rule, input }) => input.value.trim() !== String(rule.usual));
    text.value = changed.map(({ rule, input }) => `${rule.name}=${input.value.trim()}`).join(" ");
  }

  const labels = fields.map(({ rule, input }) => {
    const words = make(
      "span",
      {},
      rule.words,
      " ",
      make("span", { class: "note" }, `clause ${rule.clause}, ${rule.name}`),
    );
    return make("label", { class: "rule" }, words, input);
  });
  box.replaceChildren(...labels);
  box.addEventListener("input", write);
  text.addEventListener("input", read);
  read();
  return { read };
}

/** @param {Rule} rule */
function inputOf({ usual, choices, range }) {
  if (choices) {
    const named = (/** @type {string} */ word) => (word === String(usual) ? `${plain(word)} (official)` : plain(word));
    return make("select", {}, ...choices.map(word => make("option", { value: word }, named(word))));
  }
  if (range) return make("input", { type: "number", min: String(range[0]), max: String(range[1]), required: "" });
  return make("input", { type: "text", autocomplete: "off", spellcheck: "false", placeholder: "official" });
}
