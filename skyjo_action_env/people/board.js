/** Skyjo Action's cards: layouts, two kinds of piles, open action cards, action cards beside each layout, and cards in hand. */

import {
  BACK,
  cardButton,
  cardPicture,
  cardWords,
  cellWords,
  children,
  fly,
  gridOf,
  hintsAt,
  make,
  numberFace,
  pileOf,
  setAttribute,
  setText,
  showCard,
  showFace,
  showMoved,
  showSum,
  signed,
  turn,
  vanish,
  walkWithArrows,
} from "../dom.js";
import { isMine, newest, ownSeat, seatName, subject } from "../view.js";

/**
 * @typedef {import("../view.js").View} View @typedef {number|"*"|"?"|"."} Mark a card, a star, hidden, or none
 * @typedef {{take?: true, discard?: true, kind?: string, seat?: number, cell?: number}} Held what is begun here and not yet sent
 */

const CELL_KEYS = [..."QWERASDFZXCV"];
const OPEN_KEYS = ["KeyJ", "KeyK", "KeyL", "Semicolon"];
const [ROWS, COLUMNS, HAND] = [3, 4, 3];
/* Points for an action card that is left (docs/rules/skyjo_action.md, 9.5) */
const KEPT = 10;
const [DRAW, TAKE, FIRST_PLACE, FIRST_FLIP, FIRST_OPEN] = [0, 1, 2, 14, 26]; // action numbers, the same under all rules
// A row that fades where it goes on.
const SLIDING = `
  flex-wrap: nowrap; justify-content: safe center; overflow: auto hidden; scrollbar-width: none; padding-inline: var(--fade);
  mask: linear-gradient(90deg, transparent, #000 var(--fade) calc(100% - var(--fade)), transparent);`;
const STYLE = `
.wide.card { --card: 5.3rem; width: var(--card); min-width: 0; height: 2.75rem; } .wide .corner, .wide .pips { display: none; }
.wide .face { border-width: 2px; } .wide.card .number { font-size: .85rem; letter-spacing: 0; white-space: nowrap; } [data-band="action"] .face { background: #5b3a86; color: #fff; }
.wide[data-band="back"] .face { background: #333; } .wide[data-hint]::before { top: -.55rem; right: -.2rem; }
[data-known]:not([data-band="back"]) .face { opacity: .8; border-style: dashed; border-color: #1c2327; }
[data-known]::after { content: attr(data-known); position: absolute; inset: auto 0 -.3rem; margin: auto; width: max-content; padding: 0 .3rem; border-radius: 1rem; background: #262d30; color: #fff; font-size: .65rem; } .others [data-known]::after { font-size: .55rem; padding: 0 .15rem; }
.line { display: flex; flex-wrap: wrap; justify-content: center; gap: .4rem; } .hand.line { min-height: 0; margin: 0; } .hand:empty { display: none; }
.middle { align-content: end; } .actions { grid-area: actions; align-content: start; max-width: 12rem; margin: 0 auto; } .actions .card:last-child .face { border-style: dashed; }
.held { margin-top: .45rem; min-height: 2.75rem; width: 0; min-width: 100%; } .others .held { min-height: 1.4rem; gap: .2rem; margin-top: .3rem; ${SLIDING} --fade: .6rem; }
.held .wide.card { width: auto; } .held .wide .face { position: static; padding: 0 .6rem; height: 100%; }
.others .wide.card { height: 1.4rem; } .others .wide .face { border-width: 1px; padding: 0 .3rem; } .others .wide.card .number { font-size: .68rem; }
@media (min-width: 60.01rem) { .own .held { width: max-content; max-width: 26rem; } }
@media (max-width: 44rem), (max-height: 32rem) and (min-width: 36rem) {
  .actions { display: grid; max-width: none; margin: 0; gap: .25rem; } .actions .wide.card { width: auto; }
  .own .held { ${SLIDING} --fade: 1.4rem; padding-block: 3px; gap: .5rem; } .own .held .wide .face { padding: 0 .35rem; } .own .held .number { font-size: .75rem; }
}
@media (max-width: 44rem) { .actions { grid-template-columns: repeat(6, minmax(0, 1fr)); width: 100%; } .actions .wide.card .number { font-size: min(.7rem, 2.7vw); } }
@media (max-height: 32rem) and (min-width: 36rem) { .actions { grid-template-columns: repeat(3, minmax(0, 1fr)); } .actions .wide.card { height: 2.2rem; } }`;

export const TITLE = "Skyjo Action";
export const KEYS = [
  ["Q W E R", "first row of your cards; A S D F the second, Z X C V the third"],
  ["G", "draw a card"],
  ["T", "the discard pile: take its card, or discard the drawn one"],
  ["J K L ;", "take an open action card"],
  ["P", "take from the action pile"],
];

const lineName = line => (line < COLUMNS ? `column ${line + 1}` : `row ${line - COLUMNS + 1}`);

function faceOf(card) {
  if (card === null || card === ".") return null;
  if (card === "*") return { text: "★", band: "wild", pips: 0 };
  return card === "?" ? BACK : numberFace(card);
}

const actionFace = kind => (kind === null ? null : { text: kind, band: "action", pips: 0 });

const place = cell => `column ${Math.floor(cell / ROWS) + 1}, row ${(cell % ROWS) + 1}`;

/** Cards that are wider than high. @param {...HTMLElement} cards @returns {any[]} */
function wide(...cards) {
  for (const card of cards) card.classList.add("wide");
  return cards;
}

/**
 * The cards of a table.
 * @param {HTMLElement} middle where the piles lie @param {HTMLElement} bar where buttons stand
 * @param {import("../table.js").Table} table
 */
export async function createBoard(middle, bar, table) {
  const asking = table.asks ? await import("./skyjo_action_asking.js") : null;
  /** @type {View} */
  let view;
  /** @type {Held|null} */
  let held = null;
  /** @type {Map<string, number>} legal actions by name */
  let legal = new Map();
  /** What a hint says of choices by name. @type {(...names: (string|undefined)[]) => {best: boolean, hint: string}} */
  let at = () => ({ best: false, hint: "" });
  /** @type {{cells: any[], beside: any}[]} by seat */
  const seats = [];

  const [draw, discard] = [cardButton("draw", () => act("draw")), cardButton("discard", pressDiscard)];
  const hand = make("div", { class: "hand line", role: "group", "aria-label": "Cards in hand" });
  const open = wide(...[0, 1, 2, 3].map(at => cardButton(`open-${at}`, () => take(`open ${at}`, open[at]))));
  const [actionPile, actionDiscard] = wide(
    cardButton("pile", () => take("pile", actionPile)),
    cardPicture(null),
  );
  const actions = make(
    "div",
    { class: "line actions", role: "group", "aria-label": "Action cards" },
    actionPile,
    ...open,
    actionDiscard,
  );
  const lap = make("p", { class: "lap" });
  middle.append(pileOf(draw), pileOf(discard));
  middle.after(actions);
  bar.parentElement?.prepend(hand, lap);
  document.addEventListener("pointerover", async ({ target }) => {
    const card = target instanceof Element && target.closest(".wide");
    if (card) (await meanings()).describe(card);
  });
  walkWithArrows(actions, 1 + open.length);
  document.adoptedStyleSheets = [new CSSStyleSheet()];
  document.adoptedStyleSheets[0].replaceSync(STYLE);

  const meanings = () => import("./skyjo_action_kinds.js");
  const explain = async (card, canTake) => table.refuse((await meanings()).explained(card, canTake));
  const act = name => (legal.has(name) ? table.act(legal.get(name)) : table.refuse());
  const stepsTo = seat => (seat - ownSeat(view) + view.seats.length) % view.seats.length;
  const starting = word => [...legal.keys()].filter(name => name.startsWith(word));
  const asked = () => ({
    view,
    legal,
    held,
    starting,
    canTurnUp: canTurnUp(),
    lineName,
    lines: held?.seat === undefined ? [] : linesOf(held.seat, held.cell),
  });
  const canTurnUp = () => view.phase === "drawn" && starting("flip").length > 0;

  function hold(what) {
    held = what;
    table.redraw();
  }

  const letGo = () => held && hold(null);

  function pressDiscard() {
    if (held) letGo();
    else if (legal.has("take")) hold({ take: true });
    else if (canTurnUp()) hold({ discard: true });
    else table.refuse();
  }

  /** Lines through a cell that can be looked at, by name. */
  function linesOf(seat, cell) {
    return [Math.floor(cell / ROWS), COLUMNS + (cell % ROWS)]
      .map(line => `line ${line} of ${stepsTo(seat)}`)
      .filter(name => legal.has(name) && view.table.boards[seat][cell] === "?");
  }

  /** What a press on a cell does: an action, or a take and then a place, or it begins something. */
  function meant(seat, cell) {
    if (!isMine(view)) return null;
    const away = stepsTo(seat);
    if (linesOf(seat, cell).length > 0) return { begins: { seat, cell } };
    if (away === 0 && held?.take)
      return view.table.boards[seat][cell] === "." ? null : { action: TAKE, then: `place ${cell}` };
    const own = away > 0 ? [] : held ? [`flip ${cell}`] : [`place ${cell}`, `flip ${cell}`];
    const name = [...own, `cell ${view.phase === "steal" ? 0 : cell} of ${away}`].find(one => legal.has(one));
    return name === undefined ? null : { action: legal.get(name), name };
  }

  function pressCell(seat, cell) {
    const what = meant(seat, cell);
    if (what?.begins) hold(what.begins);
    else if (what) table.act(what.action, what.then);
    else table.refuse(legal.has("draw") ? "First draw a card, or take the discard." : undefined);
  }

  function buildSeat(body, seat) {
    const cells = Array.from({ length: ROWS * COLUMNS }, (_, cell) =>
      cardButton(`cell-${cell}`, () => pressCell(seat, cell)),
    );
    seats[seat] = { cells, beside: make("div", { class: "held line", role: "group" }) };
    body.replaceChildren(gridOf(cells, ROWS), seats[seat].beside);
  }

  function showCells(seat) {
    const { cells } = seats[seat];
    const under = view.table.open?.boards[seat];
    setAttribute(
      cells[0].closest(".grid"),
      "aria-label",
      seat === ownSeat(view) ? "Your cards" : `Cards of ${seatName(view, seat)}`,
    );
    cells.forEach((card, cell) => {
      const [mark, spot] = [view.table.boards[seat][cell], [seat, cell].join()];
      const [known, ...knowers] = view.table.known[seat][cell] ?? [];
      const shown = mark === "?" ? (under?.[cell] ?? known ?? mark) : mark;
      const names = new Intl.ListFormat("en-GB").format(knowers.map(who => seatName(view, who)));
      const underneath = shown === mark ? "" : `, ${cardWords(shown)} underneath`;
      const label = `${place(cell)}, ${cellWords(mark)}${underneath}${names && `, known to ${names}`}`;
      const what = meant(seat, cell);
      const isChosen = [view.table.chosen?.join(), held && [held.seat, held.cell].join()].includes(spot);
      const offers = held?.take
        ? [what?.then]
        : held?.discard
          ? [what?.name]
          : held
            ? []
            : [what?.name, ...linesOf(seat, cell)];
      showCard(card, {
        face: faceOf(shown),
        label,
        legal: what !== null,
        ...at(...offers),
        chosen: isChosen,
        target: isChosen,
      });
      showMoved(card, null);
      setAttribute(card, "data-under", under && mark === "?" ? "" : null);
      setAttribute(
        card,
        "data-known",
        knowers.length === 0 || under ? null : known === "?" ? "seen" : knowers.length > 1 ? "you too" : "only you",
      );
    });
  }

  /** Take an action card, on a touch screen only once it has been explained. */
  async function take(name, card) {
    const isNew = (await meanings()).isNew(card);
    if (isNew || !legal.has(name)) explain(card, legal.has(name));
    else act(name);
  }

  /** What a press on an action card beside a layout can do: play or discard your own, steal or remove those of others. */
  const uses = (seat, kind) =>
    (seat === (view.phase === "turn" ? ownSeat(view) : view.table.attacked)
      ? [`play ${kind}`, `discard ${kind}`]
      : []
    ).filter(name => legal.has(name));

  function pressHeld(seat, kind, card) {
    const [name] = uses(seat, kind);
    if (name && view.phase !== "turn") return act(name);
    if (name) hold(held?.kind === kind ? null : { kind });
    if (!name || held) explain(card);
  }

  function showHeld(seat) {
    const { beside } = seats[seat];
    const kinds = Object.entries(view.table.held[seat]);
    setAttribute(beside, "aria-label", `Action cards of ${seatName(view, seat)}`);
    const press = (place, card) => pressHeld(seat, Object.keys(view.table.held[seat])[place], card);
    const build = place =>
      wide(cardButton(`held-${place}`, (/** @type {any} */ event) => press(place, event?.currentTarget)))[0];
    children(beside, kinds.length, build).forEach((card, place) => {
      const [kind, count] = kinds[place];
      const names = uses(seat, kind);
      const text = count > 1 ? `${kind} ×${count}` : kind;
      const stand = {
        legal: names.length > 0,
        ...(held ? {} : at(...names)),
        chosen: seat === ownSeat(view) && held?.kind === kind,
      };
      showCard(card, { face: actionFace(text), label: `action card, ${text}`, ...stand });
    });
  }

  function showPiles() {
    const {
      discard: top,
      draw_pile: left,
      action_pile: actions,
      action_discard: last,
      ender,
      turns_left: turnsLeft,
      extra_turns: extra,
    } = view.table;
    showCard(draw, {
      face: left > 0 ? BACK : null,
      label: `draw pile, ${left} cards`,
      legal: legal.has("draw"),
      ...(held ? {} : at("draw")),
    });
    const label = top === null ? "discard pile, empty" : `discard pile, ${cardWords(top)} on top`;
    showCard(discard, {
      face: faceOf(top),
      label,
      legal: legal.has("take") || canTurnUp(),
      ...(held ? {} : at("take")),
      chosen: Boolean(held?.take ?? held?.discard),
    });
    setAttribute(discard, "data-taken", held?.take ? "" : null);
    open.forEach((card, place) => {
      const kind = view.table.open_actions[place];
      showCard(card, {
        face: actionFace(kind),
        label: `open action card, ${kind ?? "none"}`,
        legal: legal.has(`open ${place}`),
        ...(held ? {} : at(`open ${place}`)),
      });
    });
    showCard(actionPile, {
      face: actions > 0 ? { ...BACK, text: `pile · ${actions}` } : null,
      label: `action pile, ${actions} cards`,
      legal: legal.has("pile"),
      ...(held ? {} : at("pile")),
    });
    showFace(actionDiscard, actionFace(last));
    setAttribute(actionDiscard, "title", "discarded action cards");
    const captions = [`Draw · ${left}`, held?.take ? "Taking it\u00a0…" : "Discard"];
    [draw, discard].forEach((card, place) => setText(card.nextElementSibling, captions[place]));
    const more = [
      extra > 0 && `Extra turns that follow: ${extra}.`,
      ender !== null && `${subject(view, ender)} ended the round.`,
      turnsLeft > 0 && `Turns left: ${turnsLeft}.`,
    ];
    setText(lap, more.filter(Boolean).join(" "));
  }

  function showHand() {
    const hints = at;
    const cards = held?.take
      ? [view.table.discard]
      : view.table.hand.map((card, at) => (card === "?" ? (view.table.open?.hand[at] ?? card) : card));
    children(hand, cards.length, at => cardButton(`hand-${at}`, () => act(`card ${at}`))).forEach((card, at) => {
      const stand = { legal: legal.has(`card ${at}`), ...hints(`card ${at}`), chosen: view.table.picked === at };
      showCard(card, { face: faceOf(cards[at]), label: `in hand, ${cardWords(cards[at])}`, ...stand });
    });
    if (cards.length > 0 && !hand.querySelector('[tabindex="0"]')) walkWithArrows(hand, HAND);
  }

  function showBar() {
    const hints = at;
    const shown = asking?.choices(asked()) ?? [];
    children(bar, shown.length, () => make("button", { type: "button" })).forEach((button, at) => {
      const [words, name] = shown[at];
      setAttribute(button, "data-twin", ["draw", "take"].includes(name) ? "" : null);
      setText(button, words);
      const { best, hint } = hints(
        ...(name === "held" ? starting("flip") : ["draw", "take"].includes(name) ? [] : [name]),
      );
      setAttribute(button, "data-best", best ? "" : null);
      setAttribute(button, "data-hint", best ? "best" : hint || null);
      button.onclick = () =>
        name === "cancel" ? letGo() : name === "held" || name === "take" ? pressDiscard() : act(name);
    });
  }

  /** Where cards of others went since somebody here decided, and what lay there. @param {any[]} recent */
  function showRecent(recent) {
    for (const { seat, action, words } of recent) {
      if (action < FIRST_PLACE || action >= FIRST_OPEN) continue;
      const [, , ghost] = / for (a hidden )?(-?\d+|\*)/.exec(words) ?? [];
      showMoved(
        seats[seat].cells[(action - FIRST_PLACE) % (ROWS * COLUMNS)],
        ghost ? signed(ghost).replace("*", "★") : "",
      );
    }
    const from = recent.findLast(({ action }) => action === DRAW || action === TAKE)?.action;
    setAttribute(draw, "data-moved", from === DRAW ? "" : null);
    setAttribute(discard, "data-moved", from === TAKE ? "" : null);
  }

  /** Show what the last decision did. @param {View} before */
  function animate(before) {
    const last = newest(before, view);
    if (!last) return;
    view.table.boards.forEach((board, seat) =>
      board.forEach(
        (mark, cell) => mark === "." && before.table.boards[seat][cell] !== "." && vanish(seats[seat].cells[cell]),
      ),
    );
    const [{ cells, beside }, from] = [seats[last.seat], hand.lastElementChild ?? draw];
    if (last.action < FIRST_PLACE) return fly(last.action === DRAW ? draw : discard, from);
    if (last.action < FIRST_FLIP) return fly(from, cells[last.action - FIRST_PLACE]);
    if (last.action < FIRST_OPEN) return turn(cells[last.action - FIRST_FLIP]);
    if (last.action < FIRST_OPEN + open.length && beside.lastElementChild)
      fly(open[last.action - FIRST_OPEN], beside.lastElementChild);
  }

  return {
    letGo,
    aheadOf: "the mean of the others at the end of the round",

    /** What is begun here, as the action that it will be; null if nothing is, or if it has no number of its own. */
    begun: () => (held?.take ? TAKE : null),

    /**
     * @param {View} now @param {any[]} places @param {Set<number>} best the hint's first choice
     * @param {Map<number, number>} [behind] by choice, how far it is behind that one
     * @param {any[]} [recent] what others have decided since somebody here did
     */
    update(now, places, best, behind, recent = []) {
      const before = view;
      if (before?.seq !== now.seq) held = null;
      view = now;
      legal = new Map(Object.entries(now.names).map(([action, name]) => [name, Number(action)]));
      const numbers = name => legal.get(name) ?? (held?.take && name ? FIRST_PLACE + Number(name.split(" ")[1]) : -1);
      at = (...names) => hintsAt(best, behind)(...names.map(numbers));
      places.forEach(({ body, sum }, seat) => {
        if (!seats[seat]) buildSeat(body, seat);
        showCells(seat);
        showSum(sum, view.table.boards[seat]);
        showHeld(seat);
      });
      showPiles();
      showHand();
      showBar();
      showRecent(recent);
      if (before) animate(before);
    },

    question: () => asking?.question(asked()) ?? "",

    key(code) {
      const [spot, at] = [CELL_KEYS.indexOf(code.slice(3)), OPEN_KEYS.indexOf(code)];
      if (spot >= 0) return seats[ownSeat(view)].cells[(spot % COLUMNS) * ROWS + Math.floor(spot / COLUMNS)];
      return at >= 0 ? open[at] : { KeyG: draw, KeyT: discard, KeyP: actionPile }[code];
    },

    actionNamed: name => legal.get(name),

    /** Cells, lines and seats as people count and call them. @param {string} text */
    plain(text) {
      const called = away => seatName(view, (ownSeat(view) + Number(away)) % view.seats.length);
      const verbs = {
        place: "place it in ",
        flip: view.phase === "drawn" ? "discard it and turn up " : "turn up ",
        "on cell": "in ",
        cell: "",
      };
      const words = text
        .replace(/\bseat (\d)/g, (_, seat) => seatName(view, Number(seat)))
        .replace(/\b(column|row) (\d)/g, (_, word, number) => `${word} ${Number(number) + 1}`)
        .replace(/\bline (\d) of (\d)/g, (_, line, away) => `${lineName(Number(line))} of ${called(away)}`)
        .replace(/\b(cell \d+ of) (\d)/g, (_, cell, away) => `${cell} ${called(away)}`)
        .replace(
          /\bcells ([\d, ]+) of/g,
          (_, cells) => `${cells.includes(",") ? `${cells.split(",").length} cards` : "a card"} of`,
        )
        .replace(/\bcells (\d+) and (\d+)/g, (_, one, other) => `${place(one)} and ${place(other)}`)
        .replace(/\b(place|flip|on cell|cell) (\d+)/g, (_, word, cell) => verbs[word] + place(Number(cell)))
        .replace(/^pile$/, "take from the action pile")
        .replace(/\bopen (\d)/g, (_, at) => `take ${view.table.open_actions[at]}`)
        .replace(/\bcard (\d)/g, (_, at) => `the ${view.table.hand[at]}`)
        .replace(/\*/g, "★");
      return signed(words);
    },

    faceOf,

    /** How a round ended. @param {any} end @param {number[]} [hidden] by seat, the points that lay hidden until the end */
    async ending(end, hidden = view.seats.map(() => 0)) {
      const { pointsEnding } = await import("../round_points.js");
      return pointsEnding(view, end, ROWS, faceOf, hidden, KEPT);
    },
  };
}
