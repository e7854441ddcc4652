/** The rules clause by clause, with a box that finds words in them. */

import { byId, make, setText, style } from "./dom.js";
import { answered } from "./server.js";

const MARKED = /(`[^`]+`|\*\*[^*]+\*\*|\*[^*]+\*)/; // code and emphasis, as in Markdown

/** A text with code and emphasis as nodes. @param {string} text @returns {(Node|string)[]} */
const marked = text =>
  text.split(MARKED).map((part, index) => {
    if (index % 2 === 0) return part;
    if (part.startsWith("`")) return make("code", part.slice(1, -1));
    return part.startsWith("**") ? make("strong", part.slice(2, -2)) : make("em", part.slice(1, -1));
  });

/** The rules under a line that unfolds them, for the help of any page. */
export function foldedRules() {
  void style("rules.css");
  const body = make("div");
  const show = () => answered("/api/rules").then(rules => body.replaceChildren(...rulesNodes(rules, false)));
  const fill = () => void (body.childElementCount || show().catch(({ message }) => setText(body, message)));
  return make("details.rules-all", { toggle: fill }, make("summary", "The rules, clause by clause"), body);
}

/** The rules as nodes. @param {any} rules @param {boolean} isLinked does every clause have an address? */
function rulesNodes({ intro, sections }, isLinked) {
  const parts = sections.map(({ title, clauses }, index) => {
    const lines = clauses.map(({ number, text }) => {
      const id = number && isLinked && `rules-${number}`;
      const head = id ? make("a", { href: `#${id}` }, number) : make("b", number);
      return make("p", id && { id }, head, make("span", ...marked(text)));
    });
    const heading = make("summary", `${index + 1}. ${title}`);
    return make("details", { open: isLinked && "" }, heading, make("div.clauses", ...lines));
  });
  return [...intro.map(text => make("p", ...marked(text))), make("div.rules-list", ...parts)];
}

/** @param {any} page */
export function createPart(page) {
  const panel = byId("rules-sheet");
  let isLoaded = false;

  async function load() {
    const input = () => find(box.value.trim().toLowerCase());
    const words = { placeholder: "Find a word", "aria-label": "Find a word in the rules" };
    const box = make("input#find-rule", { type: "text", ...words, input });
    const heading = make("h2", { tabindex: "-1" }, `The rules of ${page.game.title}`);
    const [rules] = await Promise.all([answered("/api/rules"), style("rules.css")]);
    panel.replaceChildren(heading, make("div.find", box), ...rulesNodes(rules, true));
    isLoaded = true;
  }

  /** Show the clauses that have a word. @param {string} word */
  function find(word) {
    for (const part of panel.querySelectorAll("details")) {
      const clauses = [...part.querySelectorAll("p")];
      for (const clause of clauses) clause.hidden = !clause.textContent?.toLowerCase().includes(word);
      part.hidden = clauses.every(clause => clause.hidden);
    }
  }

  return {
    /** @param {string} what the number of a clause */
    async open(what) {
      if (!isLoaded) await load();
      const clause = what ? byId(`rules-${what}`) : null;
      if (!clause) return;
      clause.scrollIntoView({ block: "center" });
      for (const one of panel.querySelectorAll(".here")) one.classList.remove("here");
      clause.classList.add("here");
    },
  };
}
