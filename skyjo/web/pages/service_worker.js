/**
 * Keeps the site in this browser, so that it opens without a network. A new version is fetched beside the old one, and
 * takes its place once no page of the old one is open: pages, modules and weights of two versions never meet.
 */

const FILES = {}; // parts of their digests, by name: filled in by building/site.py
const VERSION = ""; // follows from FILES
const LATER = /\.weights$/; // kept when they are first asked for
const worker = /** @type {any} */ (self);
const OURS = `skyjo-anywhere ${worker.registration.scope} `; // other copies of the site may lie beside this one
const NAME = OURS + VERSION;

worker.addEventListener("install", event => event.waitUntil(keepAll()));
worker.addEventListener("activate", event => event.waitUntil(forgetOthers()));
worker.addEventListener("fetch", event => event.respondWith(found(event.request)));

async function keepAll() {
  const cache = await caches.open(NAME);
  await Promise.all(
    Object.keys(FILES)
      .filter(name => !LATER.test(name))
      .map(async name => {
        const answer = await fetch(name, { cache: "no-cache" });
        if (!answer.ok) throw new Error(`${name}: ${answer.status}`);
        await keep(cache, name, answer);
      }),
  );
}

/** Keep an answer without a trace of how the server led to it, since no page opens from a redirected one. */
async function keep(cache, name, answer) {
  await cache.put(name, answer.redirected ? new Response(await answer.blob(), { headers: answer.headers }) : answer);
}

async function forgetOthers() {
  const names = (await caches.keys()).filter(name => name.startsWith(OURS) && name !== NAME);
  await Promise.all(names.map(name => caches.delete(name)));
  await worker.clients.claim();
}

/** @param {Request} request */
async function found(request) {
  const cache = await caches.open(NAME);
  const address = request.url.replace(/[?#].*$/, "").replace(/\/$/, "/index.html");
  const kept = (await cache.match(address)) ?? (await cache.match(`${address}.html`));
  return kept ?? (LATER.test(address) ? weights(cache, address) : fetch(request));
}

/** Weights of this version, or none. @param {Cache} cache @param {string} address */
async function weights(cache, address) {
  const answer = await fetch(address, { cache: "no-cache" });
  if (!answer.ok) return answer;
  const digest = await crypto.subtle.digest("SHA-256", await answer.clone().arrayBuffer());
  const letters = Array.from(new Uint8Array(digest), byte => byte.toString(16).padStart(2, "0")).join("");
  if (!letters.startsWith(FILES[address.slice(worker.registration.scope.length)])) return Response.error();
  await keep(cache, address, answer.clone()).catch(() => {}); // a full disk
  return answer;
}
