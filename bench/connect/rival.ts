import type { RunningContender } from "../contenders/run-contender.ts";

/** A contender for the same table and topic. */
export interface Rival {
  title: string;
  /** Whether it marks the rows that it has published. */
  marks: boolean;
  /** Makes the empty table, and what the contender needs in the database; rows that follow are its work. */
  prepare(): Promise<void>;
  /** Starts it; `before` is what `read` gave right before its work began. */
  begin<Reading>(read: () => Promise<Reading>): Promise<Begun<Reading>>;
}

export interface Begun<Reading> {
  before: Reading;
  running: RunningContender;
}
