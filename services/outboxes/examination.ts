import type { Snapshot } from "#contracts/outbox/snapshot.ts";
import type { GatheredFacts } from "#db/stores/port/outbox-watch.ts";
import type { Cause } from "#domain/diagnosis/cause.ts";
import type { CauseCode } from "#domain/diagnosis/words.ts";

/** One reading of an outbox: its figures and their diagnosis. */
export interface Examination {
  snapshot: Snapshot;
  /** Worst first. */
  causes: Cause[];
  /** Rules that could not be judged this time. */
  unread: CauseCode[];
  /** The errors behind `unread`: what reading each fact threw. */
  errors: GatheredFacts["unread"];
  /** Our clock minus the database's, ms; 0 if a slow answer may explain the difference. */
  clockOffsetMs: number;
  /** Cost of a reading to the database, ms: the quickest of the last few. */
  costMs: number;
}
