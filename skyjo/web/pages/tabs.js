/** Lists that share a place: one is shown, the tabs above them choose which. */

import { byId, make, setAttribute } from "./dom.js";

/** Tabs. @param {(id: string) => void} [opened] is told which one is shown */
export function createSheets(opened = () => {}) {
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
    opened(chosen.id.replace(/-tab$/, ""));
  }

  bar.addEventListener("keydown", event => {
    const step = { ArrowLeft: -1, ArrowRight: 1 }[event.key];
    const next = step && tabs[(tabs.indexOf(event.target) + step + tabs.length) % tabs.length];
    if (!next) return;
    event.preventDefault();
    choose(next);
    next.focus();
  });

  return {
    /** A list with its tab; the first one added is shown. @param {string} id @param {string} title @param {any} panel */
    add(id, title, panel) {
      const isFirst = tabs.length === 0;
      const state = { "aria-controls": panel.id, "aria-selected": String(isFirst), tabindex: isFirst ? "0" : "-1" };
      const tab = make(`button#${id}-tab`, { role: "tab", ...state, click: () => choose(tab) }, title);
      setAttribute(panel, "aria-labelledby", tab.id);
      setAttribute(panel, "aria-label", null);
      panel.hidden = !isFirst;
      tabs.push(tab);
      bar.append(tab);
      return tab;
    },

    /** Show a list. @param {string} id */
    choose: id => choose(byId(`${id}-tab`) ?? tabs[0]),
  };
}
