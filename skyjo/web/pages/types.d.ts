// What the worker says, and what modules of the pages pass to each other.

interface Seat {
  name: string;
  person: boolean;
  here: boolean;
  total: number;
}

/** A decision that has been made. */
interface Told {
  seq: number;
  seat: number;
  action: number;
  words: string;
  turn_over: boolean;
}

/** All of a table, as a seat sees it. */
interface View {
  game: string;
  episode: string;
  round: number;
  phase: string;
  seq: number;
  began: number; // the decision with which the round began
  pace: number | null;
  seats: Seat[];
  seat: number | null;
  decider: number | null;
  substituted?: number[];
  covered: boolean;
  actions: number[];
  names: Record<string, string>; // of actions, by number
  told: Told[];
  rounds: number[][];
  practice: boolean;
  assisted: boolean; // by a hint
  room: boolean; // do others come to it?
  watch: { pace: number; paused: boolean; yours: boolean } | null;
  daily?: string; // the day whose deal it is
  judged?: boolean; // can somebody judge it?
  over: { words: string; winners: number[] } | null;
  end: any;
  table: any;
}

/** What a board can do to its page. */
interface TablePage {
  act(action: number, then?: string): void; // send a decision, and perhaps another one after it
  refuse(words?: string): void; // say why a press does nothing
  redraw(): void;
}

/** A place at the table where a game draws the cards of a seat. */
type Place = Record<"section" | "face" | "title" | "marks" | "total" | "sum" | "body", any>;

/** What a card shows: `pips` repeat its band for those who do not see colours; in its corner stands its text, or another one. */
interface Face {
  text: string;
  band: string;
  pips: number;
  corner?: string;
}

/** How a card button stands. */
interface Stand {
  face: Face | null; // null for an empty place
  label: string; // what a screen reader says
  legal?: boolean;
  best?: boolean; // the hint's first choice
  hint?: string; // by how much this choice is behind the best one
  chosen?: boolean; // picked up
  target?: boolean; // where the card that is picked up can go
}

/** A game that is over. */
interface Game {
  game: string;
  title: string;
  episode: string;
  players: number;
  names: string[];
  seats: string[]; // "you", an agent, or empty where nobody knows
  decisions: { seat: number; round: number; words: string; turn_over: boolean }[];
  rounds: { first: number; scores: number[] | null }[];
  analysis: boolean; // can somebody judge it?
}

interface Choice {
  action: number;
  name: string;
  worth: number;
  chance: number | null;
}

/** A decision with its judgement. */
interface Move {
  move: number; // from 1
  seat: number;
  action: number;
  choices: Choice[]; // best first
  forced: boolean;
  lost: number;
  chance_lost: number;
  chances: number[]; // of winning the round, by seat
  why: string;
  parts: { points: number; words: string }[]; // what speaks for the best choice
  mark: string;
  check: { lost: number; error: number; guesses: number } | null;
  luck: number[] | null;
  expected: number[];
  chosen: number[];
  margins: number[] | null;
}

/** Something to point at: an action by its name, and who does it. */
interface Pointed {
  name: string;
  seat: number;
  kind: string; // best, played or tried
}

/** A line of a list of tables or games. */
interface Listed {
  id: string;
  words: string;
  names: string[];
  when: string;
  scores?: number[] | null;
  round?: number;
  over?: boolean;
  yours?: boolean;
  daily?: string;
}

interface Rival {
  name: string;
  level: string;
  agent: string;
  words: string;
  playable: boolean;
}

/** A rule that can be changed. */
interface Rule {
  name: string;
  usual: string | number;
  clause: string;
  words: string;
  choices?: string[];
  range?: [number, number];
}

/** What the first page offers. */
interface Start {
  game: string;
  title: string;
  agents: { name: string; words: string }[];
  opponents: string[];
  rivals: Rival[];
  served: boolean; // can others come to tables?
  local: boolean; // from this computer only
  presets: { name: string; words: string; rules: string }[];
  players: [number, number];
  rules: Rule[];
  tables: Listed[];
}
