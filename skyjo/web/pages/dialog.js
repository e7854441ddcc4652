/** Dialogs, built when they are needed. */

import { make } from "./nodes.js";

const STYLE = "/pages/dialog.css";

/** @type {Promise<unknown>|undefined} */
let styled;

/** Load the style of dialogs, once. */
function style() {
  const link = make("link", { rel: "stylesheet", href: STYLE });
  const loaded = new Promise((done) => link.addEventListener("load", done));
  document.head.append(link);
  return loaded;
}

/**
 * Open a dialog, unless one is open; it is built anew every time.
 * @param {string} title @param {Node[]} nodes @param {any[]} closers buttons that close it
 */
export async function openDialog(title, nodes, closers) {
  await (styled ??= style());
  if (document.querySelector("dialog[open]")) return;
  const dialog = make("dialog", { id: "dialog", "aria-labelledby": "dialog-title" }, make("h2", { id: "dialog-title" }, title), ...nodes);
  for (const button of closers) button.addEventListener("click", () => dialog.close());
  dialog.addEventListener("close", () => dialog.remove());
  document.body.append(dialog);
  dialog.showModal();
}
