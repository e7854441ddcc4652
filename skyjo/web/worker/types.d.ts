/** Types that modules of the worker name, known in all of them. */

type Engine = typeof import("../engine/engine.js").Engine;
type Table = import("../engine/engine.js").Table;
type Kind = import("./kinds.js").Kind;
type PlayedGame = import("./played_game.js").PlayedGame;
type LocalServer = import("./local_server.js").LocalServer;
type WebTable = import("./tables.js").WebTable;
type Judged = import("./judging.js").Judged;

/** Rules with the same names of actions as others, or with these. */
type Rules = import("../engine/engine.js").Rules & { base?: string; actions?: string[] };

/** Numbers that have names, by what they count. */
type Names = Record<string, Record<string, string>>;

type Decision = { round: number; seat: number; action: number; words: string; turn_over: boolean; end: any };

/** How a table stands, as this browser's engine has it or as a server tells it. */
interface Standing {
  kind: Kind;
  rules: Rules;
  round: number;
  phase: string;
  episode: string;
  totals: number[]; // by seat
  decider: number | null;
  winners: number[];
  isTruncated: boolean;
  decisions: Decision[];
  observation: ArrayLike<number>; // of the seat that looks
  legal: Record<string, string>; // the names of what the decider may do, by action
}

/** A written game; one that starts at a position also has that as the engine takes it, which is not written. */
interface GameRecord {
  rules: string;
  seed: string;
  deal?: any;
  episode: string;
  start?: string;
  position?: { rules: any; state: string };
  actions: any[];
  totals?: number[];
  names?: string[];
  [version: string]: any;
}

/** How a table began and what has happened since, as it is kept; `start` is the record that it continues. */
interface Kept {
  number: string;
  game: string;
  rules: string;
  seed: string;
  episode: string;
  seats: string[];
  names: string[];
  practice: boolean;
  daily: string;
  start: GameRecord | null;
  lines: any[];
  when: string;
  listed?: any;
}

/** What a page asks. */
type Asked = { kind: Kind; number: string; query: URLSearchParams; body: any; server: LocalServer };
type Routes = Record<string, (asked: Asked) => any>; // by method and path
