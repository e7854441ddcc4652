/** An invitation to a free seat: a link to be opened in another browser. */

import { copyable } from "./copying.js";
import { byId, make, setText } from "./dom.js";
import { answered } from "./server.js";

/** Show the link. @param {string} api the table */
export async function showInvitation(api) {
  const words = make(
    "label",
    { for: "link", class: "field" },
    "A seat is free. Open this link in another browser to take it:",
  );
  const address = make("input", { id: "link", type: "text", readonly: "" });
  byId("invitation").replaceChildren(make("h2", {}, "Invite"), words, copyable(address));
  address.value = location.href; // until the server says how other browsers reach it
  const { link, local } = await answered(`${api}/link`);
  address.value = link;
  if (local) setText(words, "This link works on this computer only. To add a player, open it in another browser:");
}
