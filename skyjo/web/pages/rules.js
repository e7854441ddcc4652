/** The rules clause by clause, with a box that finds words in them. */

import { byId, make, style } from "./dom.js";
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
  const folded = make("details.rules-all", make("summary", "The rules, clause by clause"), body);
  folded.addEventListener("toggle", async () => {
    if (!folded.open || body.childElementCount > 0) return;
    body.textContent = "…";
    body.replaceChildren(
      ...(await answered("/api/rules").then(
        rules => rulesNodes(rules, false),
        error => [error.message],
      )),
    );
  });
  return folded;
}

/** The rules as nodes. @param {any} rules @param {boolean} isLinked does every clause have an address? */
function rulesNodes({ intro, sections }, isLinked) {
  const parts = sections.map(({ title, clauses }, index) => {
    const lines = clauses.map(({ number, text }) => {
      const head = number && isLinked ? make("a", { href: `#rules-${number}` }, number) : make("b", number);
      return make("p", number && isLinked ? { id: `rules-${number}` } : {}, head, make("span", ...marked(text)));
    });
    return make(
      "details",
      isLinked ? { open: "" } : {},
      make("summary", `${index + 1}. ${title}`),
      make("div.clauses", ...lines),
    );
  });
  return [...intro.map(text => make("p", ...marked(text))), make("div.rules-list", ...parts)];
}

/** @param {any} page */
export function createPart(page) {
  const panel = byId("rules-sheet");
  let isLoaded = false;

  async function load() {
    const box = make("input#find-rule", {
      type: "text",
      placeholder: "Find a word",
      "aria-label": "Find a word in the rules",
    });
    box.addEventListener("input", () => find(box.value.trim().toLowerCase()));
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
