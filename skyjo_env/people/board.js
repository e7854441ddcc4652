/** Skyjo's cards: boards of hidden and open cards, two piles and the card in hand. */

import {
  BACK,
  barButton,
  byId,
  cardButton,
  cardPicture,
  cardWords,
  cellWords,
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
} from "../dom.js";
import { isMine, newest, openingWords, ownSeat, seatName, subject } from "../view.js";

/** @typedef {import("../view.js").View} View @typedef {import("../view.js").Told} Told @typedef {number|"?"|"."} Mark a card, hidden, or cleared */

const CELL_KEYS = [..."QWERASDFZXCV"];
const KEY_COLUMNS = 4;
const TWIN = { "data-twin": "" }; // what a pile does, too
const [DRAW, TAKE, FIRST_PLACE] = [0, 1, 2]; // action numbers, the same under all rules

export const TITLE = "Skyjo";
export const KEYS = [
  ["Q W E R", "first row of your cards"],
  ["A S D F", "second row"],
  ["Z X C V", "third row"],
  ["G", "draw a card"],
  ["T", "take the discard, then choose its place"],
  ["B", "discard the drawn card"],
];

/** @param {Mark|null} card */
function faceOf(card) {
  if (card === null || card === ".") return null;
  return card === "?" ? BACK : numberFace(card);
}

/** @param {number} cell @param {number} rows */
const place = (cell, rows) => `column ${Math.floor(cell / rows) + 1}, row ${(cell % rows) + 1}`;

/**
 * The cards of a table.
 * @param {HTMLElement} middle where the piles lie @param {HTMLElement} bar where buttons stand
 * @param {import("../table.js").Table} table
 */
export function createBoard(middle, bar, table) {
  /** @type {View} */
  let view;
  /** @type {"take"|"discard"|null} what is begun here and not yet sent */
  let held = null;
  /** @type {Map<string, number>} legal actions by name, such as "place 3" */
  let legal = new Map();
  /** @type {HTMLButtonElement[][]} by seat and cell */
  const cells = [];

  const draw = cardButton("draw", () => act("draw"));
  const discard = cardButton("discard", pressDiscard);
  const handCard = cardPicture(null);
  const [drawPile, discardPile, hand] = [draw, discard, handCard].map(card => pileOf(card));
  const lap = make("p", { class: "lap" });
  middle.append(drawPile, discardPile);
  bar.parentElement?.prepend(hand, lap);

  const showDraw = barButton(bar, "G", () => act("draw"), TWIN);
  const showTake = barButton(bar, "T", pressDiscard, TWIN);
  const showDiscard = barButton(bar, "B", pressDiscard);
  const showLetGo = barButton(bar, "Esc", letGo);
  const showClear = barButton(bar, "", () => act("clear"));
  const showKeep = barButton(bar, "", () => act("keep"));

  const act = name => (legal.has(name) ? table.act(legal.get(name)) : table.refuse());
  const canTurnUp = () => view.phase === "drawn" && [...legal.keys()].some(name => name.startsWith("flip"));
  const canDiscard = () => legal.has("discard") || canTurnUp();

  function pressDiscard() {
    if (legal.has("discard")) act("discard");
    else if (legal.has("take") || canTurnUp()) hold(held ? null : legal.has("take") ? "take" : "discard");
    else table.refuse();
  }

  function hold(what) {
    held = what;
    table.redraw();
  }

  function letGo() {
    if (held) hold(null);
  }

  /** What a press on an own cell does: an action, or a take and then a place. @param {number} cell */
  function meant(cell) {
    if (!isMine(view)) return null;
    if (held === "take")
      return view.table.boards[ownSeat(view)][cell] === "." ? null : { action: TAKE, then: `place ${cell}` };
    const action = (held ? undefined : legal.get(`place ${cell}`)) ?? legal.get(`flip ${cell}`);
    return action === undefined ? null : { action };
  }

  function pressCell(seat, cell) {
    const what = seat === ownSeat(view) ? meant(cell) : null;
    if (what) table.act(what.action, what.then);
    else table.refuse(legal.has("take") ? "First draw a card or take the discard." : undefined);
  }

  function buildGrid(body, seat) {
    const { rows, columns } = view.table;
    for (const [name, count] of Object.entries({ rows, columns })) byId("felt").style.setProperty(`--${name}`, count); // cards are as large as that allows
    cells[seat] = Array.from({ length: rows * columns }, (_, cell) =>
      cardButton(`cell-${cell}`, () => pressCell(seat, cell)),
    );
    body.replaceChildren(gridOf(cells[seat], rows));
  }

  /** The choices that a hint shows on a cell. @param {number} seat @param {number} cell */
  function choicesAt(seat, cell) {
    if (seat !== view.decider) return [];
    const [placing, turning] = [FIRST_PLACE, FIRST_PLACE + cells[0].length].map(first => first + cell);
    if (held) return [held === "take" ? placing : turning];
    return view.phase === "drawn" && isMine(view) ? [placing] : [placing, turning];
  }

  function showCells(seat, at) {
    const isOwn = seat === ownSeat(view);
    const under = view.table.open?.boards[seat];
    setAttribute(
      cells[seat][0].closest(".grid"),
      "aria-label",
      isOwn ? "Your cards" : `Cards of ${seatName(view, seat)}`,
    );
    cells[seat].forEach((card, cell) => {
      const mark = view.table.boards[seat][cell];
      const isUnder = mark === "?" && under !== undefined;
      const what = isOwn ? meant(cell) : null;
      const underneath = isUnder ? `, ${cardWords(under[cell])} underneath` : "";
      const label = `${place(cell, view.table.rows)}, ${cellWords(mark)}${underneath}`;
      showCard(card, {
        face: faceOf(isUnder ? under[cell] : mark),
        label,
        legal: what !== null,
        ...at(...choicesAt(seat, cell)),
      });
      showMoved(card, null);
      setAttribute(card, "data-under", isUnder ? "" : null);
    });
  }

  /** Where cards of others went since somebody here decided, and what lay there. @param {Told[]} recent */
  function showRecent(recent) {
    const size = cells[0].length;
    for (const { seat, action, words } of recent) {
      if (action < FIRST_PLACE || action >= FIRST_PLACE + 2 * size) continue;
      const [, ghost] = / for (?:a hidden )?(-?\d+)/.exec(words) ?? [];
      showMoved(cells[seat][(action - FIRST_PLACE) % size], ghost ? signed(ghost) : "");
    }
    const from = recent.findLast(({ action }) => action === DRAW || action === TAKE)?.action;
    setAttribute(draw, "data-moved", from === DRAW ? "" : null);
    setAttribute(discard, "data-moved", from === TAKE ? "" : null);
  }

  function showPiles(at) {
    const { discard: top, draw_pile: left, hand: card, hand_of: holder, ender, turns_left: turnsLeft } = view.table;
    showCard(draw, {
      face: left > 0 ? BACK : null,
      label: `draw pile, ${left} cards`,
      legal: legal.has("draw"),
      ...(held ? {} : at(DRAW)),
    });
    const label = top === null ? "discard pile, empty" : `discard pile, ${signed(top)} on top`;
    showCard(discard, {
      face: faceOf(top),
      label,
      legal: legal.has("take") || canDiscard(),
      ...(held ? {} : at(TAKE)),
      chosen: held !== null,
    });
    setAttribute(discard, "data-taken", held === "take" ? "" : null);
    setText(discardPile.lastElementChild, held === "take" ? "Taking it\u00a0…" : "Discard");
    setText(drawPile.lastElementChild, `Draw · ${left}`);
    const isMyHand = held === "take" || (view.seat !== null && holder === view.seat);
    showFace(handCard, faceOf(held === "take" ? top : holder === null ? null : (card ?? view.table.open?.hand ?? "?")));
    setText(
      hand.lastElementChild,
      isMyHand
        ? "In your hand"
        : holder === null
          ? ""
          : `In hand: ${seatName(view, holder).replace(/^.+ \((seat \d+)\)$/, "$1")}`,
    );
    setAttribute(hand, "data-empty", !isMyHand && holder === null ? "" : null);
    setText(
      lap,
      ender === null
        ? ""
        : `${subject(view, ender)} ended the round.${turnsLeft > 0 ? ` Turns left: ${turnsLeft}.` : ""}`,
    );
  }

  function showBar(at) {
    const turning = [...legal]
      .filter(([name]) => name.startsWith("flip") || name === "discard")
      .map(([, action]) => action);
    showDraw(legal.has("draw") && !held && "Draw a card");
    showTake(legal.has("take") && !held && `Take the ${signed(view.table.discard)}`);
    showDiscard(
      canDiscard() && !held && (canTurnUp() ? "Discard it, turn a card up" : "Discard it"),
      canDiscard() && !held ? at(...turning) : undefined,
    );
    showLetGo(held && "Cancel");
    showClear(legal.has("clear") && "Clear", at(legal.get("clear")));
    showKeep(legal.has("keep") && "Keep", at(legal.get("keep")));
  }

  /** Show what the last decision did. @param {View} before */
  function animate(before) {
    const last = newest(before, view);
    if (!last) return;
    if (last.action < FIRST_PLACE) return fly(last.action === DRAW ? draw : discard, handCard);
    const [own, was, is] = [cells[last.seat], before.table.boards[last.seat], view.table.boards[last.seat]];
    own.forEach((card, cell) => is[cell] === "." && was[cell] !== "." && vanish(card));
    const card = own[(last.action - FIRST_PLACE) % is.length];
    if (last.action < FIRST_PLACE + is.length) {
      fly(handCard, card);
      return fly(card, discard);
    }
    if (before.phase === "drawn") fly(handCard, discard);
    if (last.action < FIRST_PLACE + 2 * is.length) turn(card);
  }

  return {
    letGo,
    aheadOf: "the mean of the others at the end of the round",

    /** What is begun here, as the action that it will be; null if nothing is, or if it has no number of its own. */
    begun: () => (held === "take" ? TAKE : null),

    /**
     * Draw a view.
     * @param {View} now @param {any[]} places @param {Set<number>} best the hint's first choice
     * @param {Map<number, number>} [behind] by choice, how far it is behind that one
     * @param {Told[]} [recent] what others have decided since somebody here did
     */
    update(now, places, best, behind, recent = []) {
      const at = hintsAt(best, behind);
      const before = view;
      if (before?.seq !== now.seq) held = null;
      view = now;
      legal = new Map(Object.entries(now.names).map(([action, name]) => [name, Number(action)]));
      places.forEach(({ body, sum }, seat) => {
        if (!cells[seat]) buildGrid(body, seat);
        showCells(seat, at);
        showSum(sum, view.table.boards[seat]);
      });
      showPiles(at);
      showBar(at);
      showRecent(recent);
      if (before) animate(before);
    },

    /** What is asked. */
    question() {
      const { discard: top, hand: card } = view.table;
      if (held) return held === "take" ? `Choose a place for the ${signed(top)}.` : "Choose a hidden card to turn up.";
      const questions = {
        opening: openingWords(view.table.boards[ownSeat(view)], view.table.opening_flips),
        turn: legal.has("draw") ? `Draw a card, or take the ${signed(top)}.` : `Take the ${signed(top)}.`,
        drawn: `You drew ${signed(card)}. Place it${canDiscard() ? ", or" : "."}`,
        taken: `Choose a place for the ${signed(card)}.`,
        confirm: "Clear your complete lines, or keep them?",
      };
      return questions[view.phase];
    },

    /** What a key presses, if anything. @param {string} code */
    key(code) {
      const spot = CELL_KEYS.indexOf(code.slice(3));
      const [column, row] = [spot % KEY_COLUMNS, Math.floor(spot / KEY_COLUMNS)];
      const { rows, columns } = view.table;
      if (spot >= 0) return column < columns && row < rows ? cells[ownSeat(view)][column * rows + row] : null;
      return { KeyG: draw, KeyT: discard, KeyB: discard }[code];
    },

    /** A legal action by its name. @param {string} name */
    actionNamed: name => legal.get(name),

    /** Cells as people count them: by column and row. @param {string} text */
    plain(text) {
      const verbs = {
        place: "place it in ",
        flip: view.phase === "drawn" ? "discard it and turn up " : "turn up ",
        "on cell": "in ",
        cell: "",
      };
      return signed(
        text.replace(
          /\b(place|flip|on cell|cell) (\d+)/g,
          (_, word, cell) => verbs[word] + place(Number(cell), view.table.rows),
        ),
      );
    },

    faceOf,

    /** How a round ended. @param {any} end @param {number[]} [hidden] by seat, the points that lay hidden until the end */
    async ending(end, hidden = view.seats.map(() => 0)) {
      const { pointsEnding } = await import("../round_points.js");
      return pointsEnding(view, end, view.table.rows, faceOf, hidden);
    },
  };
}
