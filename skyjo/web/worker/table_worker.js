/** The worker of a page, named after its game: a server's answers from files, and tables kept in this browser. */

import { Engine } from "../engine/engine.js";
import { LocalServer } from "./local_server.js";
import { Remote } from "./remote.js";

const SITE = new URL("../", import.meta.url),
  FILES = new URL("data/", SITE);
const STORES = ["tables", "games"];
const page = new BroadcastChannel(self.name);
const changes = new BroadcastChannel("skyjo tables"); // between the workers of all pages

/** @type {Promise<IDBDatabase>} */
const database = new Promise((done, fail) => {
  const opening = indexedDB.open("skyjo", 1);
  opening.onupgradeneeded = () => STORES.forEach(name => opening.result.createObjectStore(name, { keyPath: "number" }));
  opening.onsuccess = () => done(opening.result);
  opening.onerror = () => fail(opening.error);
});

/**
 * Ask a store for something.
 * @param {string} kind @param {(store: IDBObjectStore) => IDBRequest} ask @returns {Promise<any>}
 */
async function stored(kind, ask) {
  const change = (await database).transaction(kind, "readwrite"),
    asked = ask(change.objectStore(kind));
  change.commit(); // also if this worker ends now, because its page goes elsewhere
  return new Promise((done, fail) => {
    change.oncomplete = () => done(asked.result);
    change.onabort = () => fail(change.error);
  });
}

const server = new LocalServer({
  Engine,
  home: self.name.split(" ")[0],
  remote: new Remote(SITE.href),
  send: message => page.postMessage(message),
  store: {
    get: (kind, number) => stored(kind, store => store.get(number)),
    put: (kind, kept) => stored(kind, store => store.put(kept)).then(() => changes.postMessage(kept.number)),
    delete: (kind, number) => stored(kind, store => store.delete(number)).then(() => changes.postMessage(number)),
    all: kind => stored(kind, store => store.getAll()),
  },
  read: async (game, name) => {
    const answer = await fetch(new URL(`${game}/${name}`, FILES));
    if (answer.status === 404) return null;
    if (!answer.ok) throw new Error(`${name}: ${answer.status}`);
    return name.endsWith(".json") ? answer.json() : answer.arrayBuffer();
  },
});

changes.onmessage = ({ data }) => server.reload(data);
self.onmessage = ({ data }) => server.hear(data);
