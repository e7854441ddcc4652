/** Dialogs, built when they are needed: the help, questions before what cannot be undone, and addresses to be copied. */

import { byId, make, setText, style } from "./dom.js";
import { foldedRules } from "./rules.js";
import { answered, toGames } from "./server.js";
import { packed } from "./shared.js";

const LOCAL = /^(localhost|127\..*)$/;

/**
 * Open a dialog, unless one is open.
 * @param {string} title @param {Node[]} nodes @param {...any} buttons at its foot, which close it; "Close" if none is given
 */
export async function openDialog(title, nodes, ...buttons) {
  await style("dialog.css");
  if (document.querySelector("dialog[open]")) return;
  const close = { click: () => dialog.close() };
  const tools = make("div.tools", close, ...(buttons.length > 0 ? buttons : [make("button.main", "Close")]));
  const heading = make("h2#dialog-title", title);
  const dialog = make("dialog#dialog", { "aria-labelledby": heading.id }, heading, ...nodes, tools);
  dialog.addEventListener("close", () => dialog.remove());
  document.body.append(dialog);
  dialog.showModal();
}

/** Open the help. @param {[string, string][]} lines keys, and what they do */
export function openHelp(lines) {
  const named = keys => keys.split(" ").map(key => make("kbd", key));
  const words = lines.flatMap(([keys, meaning]) => [make("dt", ...named(keys)), make("dd", meaning)]);
  return openDialog("Keys", [make("dl.help-keys", ...words), foldedRules()]);
}

/** Ask whether to give up. @param {string} episode a round or a game @param {() => void} giveUp */
export function confirmConcede(episode, giveUp) {
  const words = "The game ends here without a winner. You can download it or play the same cards again.";
  const yes = make("button", { click: giveUp }, "Give up");
  return openDialog(`Give up this ${episode}?`, [make("p", words)], make("button.main", "Play on"), yes);
}

/** Ask whether to leave: among people the table goes on, and a seat is kept for whoever leaves. */
export function confirmLeaving() {
  const others = "The others can wait for you or let the computer take over.";
  const words = `${others} Your seat is kept: come back through “Your recent tables” on the first page.`;
  const leave = make("button", { click: () => location.assign(byId("title").href) }, "Leave");
  return openDialog("Leave this table?", [make("p", words)], make("button.main", "Stay"), leave);
}

/** Copy a text, and return whether that was possible. @param {string} text */
const copied = text =>
  navigator.clipboard?.writeText(text).then(
    () => true,
    () => false,
  );

/** A text to be copied, in a field with a button. @param {string} text @param {Record<string, string>} attributes of the field */
export function copyable(text, attributes) {
  const field = make("input", { type: "text", readonly: "", focus: () => field.select(), ...attributes });
  const button = make("button", { click: copy }, "Copy");
  field.value = text;

  async function copy() {
    field.select();
    const isCopied = (await copied(field.value)) || document.execCommand("copy"); // the old way, without https
    setText(button, isCopied ? "Copied" : "Copy it by hand");
  }
  return make("div.copy", field, button);
}

/** Share a game that is over: its address is copied, and shown for where that is not possible. @param {string} number of the game */
export async function share(number) {
  const { text } = await answered(`/api/games/${encodeURIComponent(number)}/shared`);
  const address = `${toGames()}#${await packed(text)}`;
  const done = (await copied(address)) ? "Link copied." : "Copy this link.";
  const where = LOCAL.test(location.hostname) ? " It only opens on this computer." : "";
  const words = `${done} It contains the whole game and the names of its players.${where}`;
  await openDialog("Share this game", [make("p.note", words), copyable(address, { "aria-label": "Link to the game" })]);
}

/** Show the link to a free seat. @param {string} api the table */
export async function showInvitation(api) {
  const { link, local } = await answered(`${api}/link`);
  const words = local
    ? "This link only works on this computer. Open it in another browser:"
    : "A seat is free. Send this link to a friend:";
  const label = make("label.field", { for: "link" }, words);
  byId("invitation").replaceChildren(make("h2", "Invite"), label, copyable(link, { id: "link" }));
}
