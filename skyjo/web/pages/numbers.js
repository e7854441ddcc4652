/** Numbers as people read them. */

/** Points with a sign; what rounds to zero has a plus. @param {number} points @param {number} [digits] */
export function signed(points, digits = 2) {
  const size = Math.abs(points).toFixed(digits);
  return `${points < 0 && Number(size) > 0 ? "−" : "+"}${size}`;
}

/** How many things there are. @param {number} count @param {string} word for one of them */
export const counted = (count, word) =>
  `${count.toLocaleString("en-GB")} ${count === 1 ? word : `${word.replace(/y$/, "ie")}s`}`;
