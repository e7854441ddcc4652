/** The library: finished tables, texts of games, and stores. What is chosen is opened as a game. */

import { byId, complain, make, setAttribute, setText } from "./dom.js";
import { answered, toGame } from "./server.js";
import { isAddress, unpacked } from "./shared.js";
import { showShelf } from "./table_list.js";

const SHOWN = 6; // tables, and games, before more are asked for
const SHELF = 50; // games of a store that are listed at once
const MAX_TEXT = 100_000; // bytes of a text
const KILO = 1000;

/** Do something, and say if it cannot be done. @param {() => Promise<void>} work */
function attempt(work) {
  setText(byId("error"), "");
  return work().catch(complain);
}

/** Open a game and go there. @param {object} body */
const open = body =>
  attempt(async () => {
    const { id } = await answered("/api/games", body);
    location.assign(toGame(id));
  });

/** Open the game in an address, whichever game it is of. @param {string} address */
const openShared = address =>
  attempt(async () => {
    const game = /"(\w+)_record"/.exec(await unpacked(address))?.[1] ?? "";
    const { id } = await answered(`/api/games?game=${game}`, { text: address });
    location.replace(toGame(id));
  });

/** Is there a game in the address of this page? If so, open it. */
const openAddress = () => location.hash.length > 1 && openShared(location.href);

/** Say so if a text is too long. @param {number} size in bytes */
function isTooLong(size) {
  if (size > MAX_TEXT)
    setText(byId("error"), `This text has ${Math.ceil(size / KILO)} kB; at most ${MAX_TEXT / KILO} kB can be opened.`);
  return size > MAX_TEXT;
}

/** @param {string} text */
function openText(text) {
  if (isAddress(text)) void openShared(text);
  else if (text.trim() === "") setText(byId("error"), "Paste a game first.");
  else if (!isTooLong(new TextEncoder().encode(text).length)) void open({ text });
}

/** @param {File|undefined} file */
async function openFile(file) {
  if (!file || isTooLong(file.size)) return;
  byId("text").value = await file.text();
  openText(byId("text").value);
}

/** A store, whose games are listed once it is unfolded. @param {{number: number, name: string, games: number}} store */
function storeItem({ number: store, name, games }) {
  const count = games.toLocaleString("en-GB");
  const list = make("ul.shelf");
  const back = make("button", { click: () => first > 0 && show(Math.max(0, first - SHELF)) }, "Earlier games");
  const forward = make("button", { click: () => first + SHELF < games && show(first + SHELF) }, "Later games");
  const where = make("p.note", { role: "status" });
  const pages = make("div.pages", back, forward, where);
  const title = make("summary", name, make("span.note", `${count} games`));
  const unfold = () => item.open && list.children.length === 0 && show(0);
  const item = make("details.paper", { toggle: unfold }, title, list, pages);
  let first = 0;

  const line = ({ number, words }) =>
    make("li", make("button", { click: () => open({ store, number }) }, `${number + 1}: ${words}`));
  const show = from =>
    attempt(async () => {
      const found = (await answered(`/api/stores/${store}?first=${from}`)).games;
      first = from;
      list.replaceChildren(...found.map(line));
      list.scrollTop = 0;
      setText(where, `${first + 1} to ${first + found.length} of ${count}`);
      setAttribute(back, "aria-disabled", first === 0 ? "true" : null);
      setAttribute(forward, "aria-disabled", first + found.length >= games ? "true" : null);
      pages.hidden = games <= SHELF;
    });
  return make("li", item);
}

/** A file or a text is dropped on the form, or dragged over it. @param {any} event */
function takeDrop(event) {
  event.preventDefault();
  byId("form").toggleAttribute("data-over", event.type === "dragover");
  const [file] = event.dataTransfer.files;
  if (event.type === "drop") void (file ? openFile(file) : openText(event.dataTransfer.getData("text")));
}

async function begin() {
  const { title, tables, kept, stores, served } = await answered("/api/games");
  document.title = `${title}: games`;
  if (!served) setText(byId("text-title"), "Import a game"); // a server reads positions
  showShelf(byId("tables"), byId("more-tables"), tables, SHOWN, "tables", ({ id }) => open({ table: id }));
  showShelf(byId("kept"), byId("more-kept"), kept, SHOWN, "games");
  byId("stores").replaceChildren(...stores.map(storeItem));
  for (const [section, things] of Object.entries({ own: tables, earlier: kept, stored: stores }))
    byId(section).hidden = things.length === 0;
  byId("empty").hidden = tables.length + kept.length + stores.length > 0;
}

byId("form").addEventListener("submit", event => {
  event.preventDefault();
  openText(byId("text").value);
});
byId("file").addEventListener("change", () => openFile(byId("file").files[0]));
for (const name of ["dragover", "dragleave", "drop"]) byId("form").addEventListener(name, takeDrop);
window.addEventListener("hashchange", openAddress);
void attempt(begin).then(() => {
  byId("form").hidden = false; // below the lists, which would push it away from under a pointer
  openAddress();
});
