/**
 * Keeps the site in this browser, so that it opens without a network. A new version is fetched beside the old one, and
 * takes its place once no page of the old one is open: pages and modules of two versions never meet.
 */

const FILES = []; // each with a part of its digest: filled in by anywhere/site.py
const LATER = /\.weights$/; // kept when they are first asked for
const VERSION = "";
const NAME = `skyjo-anywhere ${VERSION}`;

self.addEventListener("install", (event) => event.waitUntil(keepAll()));
self.addEventListener("activate", (event) => event.waitUntil(forgetOthers()));
self.addEventListener("fetch", (event) => event.respondWith(found(event.request)));

async function keepAll() {
  const cache = await caches.open(NAME);
  await cache.addAll(FILES.filter((file) => !LATER.test(file)).map((file) => new Request(file, { cache: "no-cache" })));
}

async function forgetOthers() {
  const names = (await caches.keys()).filter((name) => name.startsWith("skyjo-anywhere ") && name !== NAME);
  await Promise.all(names.map((name) => caches.delete(name)));
  await self.clients.claim();
}

/** @param {Request} request */
async function found(request) {
  const cache = await caches.open(NAME);
  const address = request.url.replace(/[?#].*$/, "").replace(/\/$/, "/index.html");
  const kept = await cache.match(address);
  if (kept) return kept;
  const answer = await fetch(request);
  if (answer.ok && LATER.test(address)) await cache.put(address, answer.clone());
  return answer;
}
