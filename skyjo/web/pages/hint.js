/** What an adviser would do: asked with Hint, beside the cards. */

import { byId, make } from "./nodes.js";
import { signed } from "./numbers.js";

/** The adviser may need a while. */
export function showThinking() {
  byId("advice").replaceChildren(make("h2", {}, "Thinking …"));
  byId("advice").hidden = false;
}

/**
 * What the adviser says, best first.
 * @param {{action: number, words: string, worth: number|null}[]} choices @param {(words: string) => string} plain
 */
export function showAdvice(choices, plain) {
  const lines = choices.map(({ words, worth }, index) => {
    const points = worth === null ? "" : signed(worth, 1);
    return make("li", index === 0 ? { class: "best" } : {}, make("span", {}, plain(words)), make("span", { class: "worth" }, points));
  });
  byId("advice").replaceChildren(make("h2", {}, "Hint, best first"), make("ol", { class: "advice" }, ...lines));
  byId("advice").hidden = false;
}
