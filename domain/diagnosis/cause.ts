import type { Mode } from "../operator.ts";
import type { Figures } from "./facts/figures.ts";
import type { FactName, StoreFacts } from "./facts/store-facts.ts";
import type { CauseCode, CauseWord } from "./words.ts";

/** What becomes of a failed message. `final`: whoever publishes the table does not try it again. */
export type FailedMeaning = "retried" | "final" | "unknown";

/** Limits by which an outbox is judged. */
export interface DiagnosisSettings {
  outbox: string;
  mode: Mode;
  /** An earlier version of this program made the console's own tables, and this one does not read them. */
  ownTablesOlder?: true;
  /** Where the relay publishes; null without a relay. */
  sink: string | null;
  /** The connector of Debezium that publishes the outbox; null where none does. */
  connector: string | null;
  /** Our relay publishes from the log and marks no row: only its records and its place in the log say what was sent. */
  byLog: boolean;
  /** Another program publishes and marks no row, so that no row says whether it was sent. */
  untold: boolean;
  /** Slots of other programs that may be sent the table's rows. */
  otherReaders: readonly string[];
  /** Whether failed messages are tried again: by our relay, as the table says, or not known. */
  failedMeans: FailedMeaning;
  warnSeconds: number;
  failSeconds: number;
  dead: { warn: number; fail: number };
  relaySilentSeconds: number;
  /** Time after a clean stop within which another relay is expected. */
  restartSeconds: number;
  noProgressSeconds: number;
  claimGraceSeconds: number;
  lockHeldSeconds: number;
  oldTransactionSeconds: number;
  scheduledFarSeconds: number;
  clockSkewSeconds: number;
}

export interface DiagnosisInput {
  settings: DiagnosisSettings;
  figures: Figures;
  /** Facts that could be read. A rule runs only if every fact in its `needs` is present. */
  facts: Partial<StoreFacts>;
  /** The database's clock, RFC 3339. */
  asOf: string;
  /**
   * The last span in which no relay could work: its length, and how long ago it ended. `of` is missing if the database
   * did not answer; `table`: it was missing, changed or forbidden; `writes`: the database took none.
   */
  outage?: { seconds: number; endedSeconds: number; of?: "table" | "writes" } | null;
}

/** What a rule finds. `diagnose` makes it a Cause by adding the rule, the start and the sentence. */
export interface CauseDraft {
  /** Identifies the cause across evaluations, so it contains no counts or ages. */
  key: string;
  word: CauseWord;
  severity: "warn" | "fail";
  /** Replaces the default title of `word` where that would be false, e.g. "Restarting". */
  headline?: string;
  /** Short title of the finding, e.g. "Sink unavailable". */
  title: string;
  /** What the finding is about: a sink, an aggregate, a session. */
  subject: string;
  /** The sentence before "since ...", without a full stop, e.g. "billing-report (pid 77) holds 3 waiting messages". */
  what: string;
  /** False: no "since ..." follows `what`. */
  saysSince?: false;
  /** Clauses appended to the sentence, e.g. "125 wait", "other types flow". */
  clauses?: (string | null)[];
  diagnosis: string;
  nextStep: string;
  /** Link to the place to look or act; following it changes nothing. */
  next: { label: string; path: string };
  /** Null: unknown. */
  messages: number | null;
  /** True: counting stopped at a cap, so there are at least that many. */
  messagesCapped?: boolean;
  /** True: the database estimates it. */
  messagesEstimated?: boolean;
  aggregates: number | null;
  /** Start, if the facts give it; null: when it was first seen. */
  since: string | null;
  evidence: { label: string; value: string }[];
}

/** Detects one kind of trouble. Pure: equal facts give equal drafts. */
export interface Rule {
  rule: CauseCode;
  title: string;
  definition: string;
  /** The limit in words. */
  threshold: (settings: DiagnosisSettings) => string;
  needs: readonly FactName[];
  /**
   * False if an optional input was not read or not counted. Findings are valid then, but their absence proves nothing.
   */
  isComplete?: (input: DiagnosisInput) => boolean;
  evaluate: (input: DiagnosisInput) => CauseDraft[];
}

export interface Cause extends CauseDraft {
  rule: CauseCode;
  since: string;
  sentence: string;
}
