/** Dialogs, built when they are needed. */

import { make, style } from "./dom.js";

/**
 * Open a dialog, unless one is open; it is built anew every time.
 * @param {string} title @param {Node[]} nodes @param {any[]} closers buttons that close it
 */
export async function openDialog(title, nodes, closers) {
  await style("dialog.css");
  if (document.querySelector("dialog[open]")) return;
  const dialog = make(
    "dialog",
    { id: "dialog", "aria-labelledby": "dialog-title" },
    make("h2", { id: "dialog-title" }, title),
    ...nodes,
  );
  for (const button of closers) button.addEventListener("click", () => dialog.close());
  dialog.addEventListener("close", () => dialog.remove());
  document.body.append(dialog);
  dialog.showModal();
}
