/** How long work that is done piece by piece will still take. */

const SOON = 2000; // milliseconds of work, before which nothing is said
const LATELY = 8; // pieces whose pace counts

/** A clock for some work; it is told how much is done, and says how long the rest takes, at the pace of the last pieces. */
export function remaining() {
  /** @type {{time: number, done: number}[]} */
  const seen = [{ time: performance.now(), done: 0 }];
  /** @param {number} done @param {number} of */
  return (done, of) => {
    const now = performance.now();
    seen.push({ time: now, done });
    const from = seen[Math.max(0, seen.length - 1 - LATELY)];
    const gone = now - seen[0].time;
    if (gone < SOON || done === 0 || done === of) return "";
    return `, ${inWords((((now - from.time) / Math.max(done - from.done, 1)) * (of - done)) / 1000)} left`;
  };
}

/** @param {number} seconds */
function inWords(seconds) {
  if (seconds < 55) return `about ${Math.max(5, Math.ceil(seconds / 5) * 5)} seconds`;
  const minutes = Math.round(seconds / 60) || 1;
  return minutes === 1 ? "about a minute" : `about ${minutes} minutes`;
}
