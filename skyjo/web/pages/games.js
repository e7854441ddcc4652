/** The library: finished tables, texts of games, and stores. What is chosen is opened as a game. */

import { byId, make, sentence, setAttribute, setText } from "./dom.js";
import { answered, toGame } from "./server.js";
import { isAddress, unpacked } from "./shared.js";
import { showShelf } from "./table_list.js";

/**
 * @typedef {import("./table_list.js").Listed} Listed @typedef {{number: number, name: string, games: number}} Store
 * @typedef {{title: string, tables: Listed[], kept: Listed[], stores: Store[], served: boolean}} Library
 */

const SHOWN = 6; // tables, and games, before more are asked for
const SHELF = 50; // games of a store that are listed at once
const MAX_TEXT = 100_000; // bytes of a text
const KILO = 1000;

/** Do something, and say if it cannot be done. @param {() => Promise<void>} work */
async function attempt(work) {
  setText(byId("error"), "");
  try {
    await work();
  } catch (error) {
    setText(byId("error"), sentence(/** @type {Error} */ (error).message));
  }
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
  else if (text.trim() === "") setText(byId("error"), `Paste ${byId("text-title").textContent.toLowerCase()} first.`);
  else if (!isTooLong(new TextEncoder().encode(text).length)) void open({ text });
}

/** @param {File|undefined} file */
async function openFile(file) {
  if (!file || isTooLong(file.size)) return;
  byId("text").value = await file.text();
  openText(byId("text").value);
}

/** A line of a list that opens something. @param {string} words @param {object} body */
function lineOf(words, body) {
  const button = make("button", { type: "button" }, words);
  button.addEventListener("click", () => open(body));
  return make("li", {}, button);
}

/** A store, whose games are listed once it is unfolded. @param {Store} store */
function storeItem({ number: store, name, games }) {
  const list = make("ul", { class: "shelf" });
  const [back, forward] = ["Earlier games", "Later games"].map(words => make("button", { type: "button" }, words));
  const where = make("p", { class: "note", role: "status" });
  const pages = make("div", { class: "pages" }, back, forward, where);
  const title = make("summary", {}, name, make("span", { class: "note" }, `${games.toLocaleString("en-GB")} games`));
  const item = make("details", { class: "paper" }, title, list, pages);
  let first = 0;

  const show = (/** @type {number} */ from) =>
    attempt(async () => {
      const found = (await answered(`/api/stores/${store}?first=${from}`)).games;
      first = from;
      list.replaceChildren(
        ...found.map((/** @type {{number: number, words: string}} */ { number, words }) =>
          lineOf(`${number + 1}: ${words}`, { store, number }),
        ),
      );
      list.scrollTop = 0;
      setText(where, `${first + 1} to ${first + found.length} of ${games.toLocaleString("en-GB")}`);
      setAttribute(back, "aria-disabled", first === 0 ? "true" : null);
      setAttribute(forward, "aria-disabled", first + found.length >= games ? "true" : null);
      pages.hidden = games <= SHELF;
    });

  back.addEventListener("click", () => first > 0 && show(Math.max(0, first - SHELF)));
  forward.addEventListener("click", () => first + SHELF < games && show(first + SHELF));
  item.addEventListener("toggle", () => item.open && list.children.length === 0 && show(0));
  return make("li", {}, item);
}

/** Files can be dropped anywhere on the form. */
function takeDrops() {
  const form = byId("form");
  for (const name of ["dragover", "dragleave", "drop"]) {
    form.addEventListener(name, (/** @type {DragEvent} */ event) => {
      event.preventDefault();
      setAttribute(form, "data-over", name === "dragover" ? "" : null);
      const dropped = event.dataTransfer;
      if (name === "drop")
        void (dropped?.files.length ? openFile(dropped.files[0]) : openText(dropped?.getData("text") ?? ""));
    });
  }
}

async function begin() {
  /** @type {Library} */
  const { title, tables, kept, stores, served } = await answered("/api/games");
  document.title = `${title}: games`;
  if (!served) setText(byId("text-title"), "A record"); // a server reads positions
  showShelf(byId("tables"), byId("more-tables"), tables, SHOWN, "tables", ({ id }) => open({ table: id }));
  showShelf(byId("kept"), byId("more-kept"), kept, SHOWN, "games");
  byId("stores").replaceChildren(...stores.map(storeItem));
  for (const [section, things] of Object.entries({ own: tables, earlier: kept, stored: stores }))
    byId(section).hidden = things.length === 0;
  byId("empty").hidden = tables.length + kept.length + stores.length > 0;
}

byId("form").addEventListener("submit", (/** @type {Event} */ event) => {
  event.preventDefault();
  openText(byId("text").value);
});
byId("file").addEventListener("change", () => openFile(byId("file").files[0]));
takeDrops();
window.addEventListener("hashchange", openAddress);
void attempt(begin).then(() => {
  byId("form").hidden = false; // below the lists, which would push it away from under a pointer
  openAddress();
});
