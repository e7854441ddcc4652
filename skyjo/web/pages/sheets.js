/** Lists that share a place: one is shown, the tabs above them choose which. */

import { byId, make, setAttribute } from "./nodes.js";

/** Tabs for the list of moves and others below it. */
export function createSheets() {
  const bar = byId("sheets");
  /** @type {any[]} */
  const tabs = [];

  /** @param {any} chosen */
  function choose(chosen) {
    for (const tab of tabs) {
      setAttribute(tab, "aria-selected", String(tab === chosen));
      tab.tabIndex = tab === chosen ? 0 : -1;
      byId(tab.getAttribute("aria-controls")).hidden = tab !== chosen;
    }
  }

  bar.addEventListener("keydown", (/** @type {any} */ event) => {
    const step = { ArrowLeft: -1, ArrowRight: 1 }[event.key];
    const next = step && tabs[(tabs.indexOf(event.target) + step + tabs.length) % tabs.length];
    if (!next) return;
    event.preventDefault();
    choose(next);
    next.focus();
  });

  return {
    /** A list with its tab. @param {string} id @param {string} title @param {any} panel what exists already, or a new list */
    add(id, title, panel) {
      const tab = make("button", { type: "button", role: "tab", id: `${id}-tab`, "aria-controls": panel.id }, title);
      tab.addEventListener("click", () => choose(tab));
      setAttribute(panel, "aria-labelledby", tab.id);
      setAttribute(panel, "aria-label", null);
      tabs.push(tab);
      bar.append(tab);
      choose(tabs[0]);
      return tab;
    },
  };
}
