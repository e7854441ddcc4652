/** Games that are looked at: those of this browser, and those that a server stores. */

import { canBeJudged } from "./judging.js";
import { found, keep, recordIn, written } from "./records.js";
import { isRoom } from "./rooms.js";
import { titles, view, YOU } from "./views.js";

const LISTED = 12,
  MAX_NAME = 20;

/** @type {Routes} */
export const GAME_ROUTES = {
  "GET games": async ({ kind, server }) => {
    const { game, title } = kind.data,
      tables = (await server.listed(game)).filter(({ over }) => over).slice(0, LISTED);
    const others = (await server.all("games", game)).filter(({ table }) => !tables.some(({ id }) => id === table));
    const isSeated = ({ seats, names }) => [...seats, ...names].some(Boolean);
    const kept = others.slice(0, LISTED).map(one => {
      const { number: id, words, when } = one;
      return { id, words, when, names: isSeated(one) ? namesOf(one) : [] };
    });
    const { rooms: served = false, stores = [] } = await server.remote.served;
    return { title, tables, kept, stores: stores.filter(store => store.game === game), served };
  },
  "GET stores/*": ({ number, query, server }) =>
    server.remote.ask(`/api/stores/${number}?first=${query.get("first") ?? 0}`),
  "POST games": async ({ body, kind, server }) => {
    if ("store" in body) return keepStored(server, kind, body);
    if (!body.table) return keep(server, kind, await recordIn(kind, String(body.text)));
    if (isRoom(String(body.table))) return keepOfRoom(server, kind, body.table);
    const { kind: own, record, kept } = await server.finished(body.table);
    return keep(server, own, record, { seats: kept.seats, names: kept.names, table: body.table });
  },
  "DELETE games/*": async ({ number, server }) => {
    await server.store.delete("games", number);
    return {};
  },
  "GET games/*": async ({ number, server }) => document(await found(server, number)),
  "GET games/*/views": async ({ number, server, query }) => views(await found(server, number), query),
  "GET games/*/record": async ({ number, server }) => written((await found(server, number)).kept.record),
  "GET games/*/shared": async ({ number, server }) => {
    const { record, seats, names } = (await found(server, number)).kept;
    const called = names.map((name, seat) => name || (seats[seat] === YOU ? "" : seats[seat]));
    const short = called.map(name => name.split(":")[0].slice(0, MAX_NAME));
    return { text: written({ ...record, ...(called.some(Boolean) ? { names: short } : {}) }) };
  },
};

/** What the seats of a kept game are called. @param {{seats: string[], names: string[]}} kept */
export const namesOf = ({ seats, names }) =>
  titles(
    seats.map(text => text || "open"),
    names,
  );

/** Keep a game of a match. @param {any} server @param {any} kind @param {{store: number, number: number}} body */
async function keepStored(server, kind, { store, number }) {
  const { text, seats } = await server.remote.ask(`/api/stores/${Number(store)}/${Number(number)}`);
  return keep(server, kind, await recordIn(kind, text), { seats, names: seats.map(() => ""), table: "" });
}

/** Keep the game of a room. @param {string} room */
async function keepOfRoom(server, kind, room) {
  const record = await recordIn(kind, await server.remote.text(`/api/rooms/${room}/record`)),
    { game, agents } = kind.data;
  const called = (await server.rooms(game)).find(({ id }) => id === room)?.names ?? [];
  const seats = called.map(title => (/^you( \(|$)/.test(title) ? YOU : agents.includes(title) ? title : ""));
  const names = called.map((title, seat) => (seats[seat] ? "" : title));
  return keep(server, kind, record, called.length ? { seats, names, table: room } : undefined);
}

/** Where rounds begin, and their scores if they were scored. @param {PlayedGame} played */
function roundsOf({ decisions }) {
  const firsts = [...decisions.keys()].filter(k => decisions[k - 1]?.round !== decisions[k].round);
  const scores = number => decisions.findLast(({ round }) => round === number)?.end?.scores ?? null;
  return firsts.map(first => ({ first, scores: scores(decisions[first].round) }));
}

/** All but the cards. */
function document({ kept, played }) {
  const { kind, decisions } = played,
    { game, title } = kind.data,
    { seats, record } = kept;
  return {
    ...{ game, title, episode: record.episode, seats, names: namesOf(kept) },
    ...{ players: seats.length, rounds: roundsOf(played), analysis: canBeJudged(played) },
    decisions: decisions.map(({ end, action, ...decision }) => decision),
  };
}

/**
 * The table after some of the decisions, as one seat saw it or with all cards open.
 * @param {any} found @param {URLSearchParams} query
 */
function views({ kept, played }, query) {
  const { data, documents } = played.kind,
    names = namesOf(kept),
    seat = query.has("seat") ? Number(query.get("seat")) : null;
  const [first, count] = ["first", "count"].map(name => Number(query.get(name)));
  const shown = played.tables.slice(first, first + count).map((table, k) => {
    const one = view(played.standing(seat, first + k), { names, seat });
    if (query.get("open") === "1") one.table.open = documents.openDocument(data, table);
    return one;
  });
  return { views: shown };
}
