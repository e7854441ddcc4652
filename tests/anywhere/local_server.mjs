// The browser worker's server under Node: messages to it come as lines of JSON, and so does what it sends.
// Arguments: the folder of a site (engine, worker, data). {"stored": NUMBER} prints what is kept of a table; {"restart": "kept"} forgets all that is not kept, {"restart": "empty"} that, too; {"network": "slow"} keeps weights back until {"network": "fast"}.
import { existsSync, readFileSync } from "node:fs";
import { createInterface } from "node:readline";

Object.defineProperty(crypto, "randomUUID", { value: undefined }); // as on connections that are not safe

const { SITE = "http://127.0.0.1:9/", COOKIE: cookie = "" } = process.env; // of a server, as a browser knows them
const headers = { cookie, origin: new URL(SITE).origin },
  { fetch: ask, WebSocket: Socket } = globalThis;
globalThis.fetch = (address, options) => ask(address, { ...options, headers: { ...options.headers, ...headers } });
globalThis.WebSocket =
  Socket
  && class extends Socket {
    constructor(address) {
      super(address, { headers });
    }
  };

let drawn = BigInt(process.env.DEALS) << 32n;
/** The same numbers in every run, and so the same cards; DEALS=2 gives others. */
const numbered = () => BigInt.asUintN(64, ++drawn * 0x9e3779b97f4a7c15n);
Object.defineProperty(crypto, "getRandomValues", {
  value: array => array.map(() => (array instanceof BigUint64Array ? numbered() : Number(numbered() >> 56n))),
});

const [folder] = process.argv.slice(2);
const { Engine } = await import(`${folder}/engine/engine.js`);
const { LocalServer } = await import(`${folder}/worker/local_server.js`);
const { Remote } = await import(`${folder}/worker/remote.js`);

const kept = { tables: new Map(), games: new Map() };
const store = {
  get: async (kind, number) => structuredClone(kept[kind].get(number)),
  put: async (kind, one) => void kept[kind].set(one.number, structuredClone(one)),
  delete: async (kind, number) => void kept[kind].delete(number),
  all: async kind => structuredClone([...kept[kind].values()]),
};
const read = async (game, name) => {
  if (name.endsWith(".weights")) await network;
  if (!existsSync(`${folder}/data/${game}`)) return null;
  const file = readFileSync(`${folder}/data/${game}/${name}`);
  return name.endsWith(".json") ? JSON.parse(file.toString()) : file;
};
let network = Promise.resolve(),
  isSlow = false,
  goOn = () => {};
const print = message => console.log(JSON.stringify(message));
let server = started();

/** A server; whatever an earlier one still says is not heard. */
function started() {
  const remote = new Remote(SITE);
  const own = new LocalServer({
    store,
    read,
    remote,
    Engine,
    send: message => own === server && print(message),
    home: "skyjo",
  });
  return own;
}

for await (const line of createInterface({ input: process.stdin })) {
  const message = JSON.parse(line);
  if ("stored" in message) print({ stored: kept.tables.get(message.stored) });
  else if ("restart" in message) {
    if (message.restart === "empty") for (const each of Object.values(kept)) each.clear();
    server = started();
  } else if ("network" in message) {
    isSlow = message.network === "slow";
    if (isSlow)
      network = new Promise(done => {
        goOn = done;
      });
    else goOn();
  } else if (isSlow) server.hear(message);
  else await server.hear(message);
}
process.exit(); // whatever is still connected
