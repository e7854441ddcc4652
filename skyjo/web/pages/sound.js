/** Short sounds without files: a card is laid, it is your turn, a round is over. */

/** Notes by occasion: hertz, when each begins and how long it lasts in seconds, and how loud it is. @type {Record<string, number[][]>} */
const SOUNDS = {
  card: [[210, 0, 0.05, 0.12]],
  turn: [
    [523, 0, 0.12, 0.1],
    [784, 0.1, 0.2, 0.1],
  ],
  end: [
    [523, 0, 0.15, 0.1],
    [659, 0.13, 0.15, 0.1],
    [784, 0.26, 0.35, 0.1],
  ],
};

/** @type {AudioContext|undefined} */
let context;

/** @param {string} name */
export function play(name) {
  context ??= new AudioContext();
  if (context.state === "suspended") return void context.resume(); // until something is pressed, browsers keep quiet
  for (const [hertz, begin, seconds, volume] of SOUNDS[name]) {
    const [tone, loudness, start] = [context.createOscillator(), context.createGain(), context.currentTime + begin];
    tone.type = "triangle";
    tone.frequency.value = hertz;
    loudness.gain.setValueAtTime(volume, start);
    loudness.gain.exponentialRampToValueAtTime(0.001, start + seconds);
    tone.connect(loudness).connect(context.destination);
    tone.start(start);
    tone.stop(start + seconds);
  }
}
