/** Share a game that is over: its address is copied, and shown for where that is not possible. */

import { copyable } from "./copying.js";
import { openDialog } from "./dialog.js";
import { make } from "./dom.js";
import { answered, toGames } from "./server.js";
import { packed } from "./shared.js";

const LOCAL = /^(localhost|127\..*)$/;

/** @param {string} number of the game */
export async function share(number) {
  const { text } = await answered(`/api/games/${encodeURIComponent(number)}/shared`);
  const address = `${toGames()}#${await packed(text)}`;
  const isCopied = await navigator.clipboard?.writeText(address).then(
    () => true,
    () => false,
  );
  const command = document.documentElement.dataset.game?.replace("_", "-");
  const where = LOCAL.test(location.hostname)
    ? ` The page opens on this computer only; elsewhere, “${command} replay ADDRESS” shows the game.`
    : "";
  const note = make(
    "p",
    { class: "note" },
    `${isCopied ? "The address is copied." : "Copy this address."} It holds the whole game, and the names of its players.${where}`,
  );
  const shown = make("input", { type: "text", readonly: "", "aria-label": "Address of the game" });
  shown.value = address;
  const close = make("button", { type: "button", class: "main" }, "Close");
  await openDialog("Share this game", [note, copyable(shown), make("div", { class: "tools" }, close)], [close]);
}
