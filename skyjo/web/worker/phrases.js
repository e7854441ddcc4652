/** What is said of decisions: templates of Python's, filled as skyjo/table/phrases.py fills them, which explains them. */

const CHOICE = /\[(\w+)(?:=(\{?)(\w+)\}?)?:([^\][|]*)(?:\|([^\][]*))?\]/g; // one without others in it
const PLACE = /\{(\w+)(?::(?:(\+?)\.(\d)f|(\w+)))?\}/g;
const WITH_AN = /^(8|11$|18$)/; // numbers before which "a" is "an"
const MAX_DIGITS = 60;
const ENDS = ["RoundScored", "RoundStopped"];

/** A template with its places filled. @param {string} template @param {Record<string, any>} values @param {Names} [names] */
export function filled(template, values, names = {}) {
  const chosen = (_, name, isValue, wanted, text, other = "") => {
    const compared = isValue ? values[wanted] : wanted;
    return (wanted === undefined ? values[name] : String(values[name]) === String(compared)) ? text : other;
  };
  const written = (_, name, sign, digits, how) => {
    const value = values[name];
    if (digits) return rounded(value, sign, Number(digits));
    return how === "a" ? `${WITH_AN.test(value) ? "an" : "a"} ${value}` : named(names[how], value);
  };
  let text = template;
  for (let before = ""; before !== text;) [before, text] = [text, text.replace(CHOICE, chosen)];
  return text.replace(PLACE, written);
}

/** What a number is called, or the number. @param {Record<string, string> | undefined} names @param {any} value */
const named = (names, value) => names?.[value] ?? value;

/** Cards as they are written. @param {any} phrases @param {number[]} cards */
export const marks = ({ names }, cards) => cards.map(card => named(names.card, card));

/** A number as Python writes it, which rounds what the number is, not the few digits that JavaScript would show. */
const rounded = (value, sign, digits) =>
  new Intl.NumberFormat("en", {
    ...{ minimumFractionDigits: digits, maximumFractionDigits: digits, useGrouping: false },
    roundingMode: "halfEven",
    signDisplay: sign ? "always" : "auto",
  }).format(value.toFixed(MAX_DIGITS));

/** What a decision did, up to the end of a round or to what is told elsewhere. @param {any} phrases @param {any[]} events */
export function described({ events: templates, names, untold }, events) {
  const stop = events.findIndex(({ event }) => ENDS.includes(event) || event === untold),
    decided = stop < 0 ? events : events.slice(0, stop);
  return decided
    .map(one => filled(templates[one.event] ?? "", valuesOf(one), names))
    .filter(Boolean)
    .join(", ");
}

/** The values of an event: a list is its items, with their count as a further value. @param {Record<string, any>} event */
const valuesOf = event =>
  Object.fromEntries(
    Object.entries(event).flatMap(([name, value]) =>
      Array.isArray(value)
        ? [
            [name, value.join(", ")],
            [`${name}_count`, value.length],
          ]
        : [[name, value]],
    ),
  );

/**
 * How a round ended, if it did, with the points of boards before a penalty; one that was stopped has no scores.
 * @param {any} phrases @param {any[]} events
 */
export function endOf(phrases, events) {
  const { event, boards, ...end } = events.find(one => ENDS.includes(one.event)) ?? {};
  if (!event || !boards) return event ? { scores: null, winner: null, ...end } : null;
  const penalty = events.find(one => ["EnderPenalised", "EnderDoubled"].includes(one.event));
  const { scores = null } = end,
    points = scores?.map((score, seat) => (seat === penalty?.seat ? (penalty.points ?? score / 2) : score)) ?? null;
  return { ...end, scores, points, boards: boards.map(cards => marks(phrases, cards)) };
}
