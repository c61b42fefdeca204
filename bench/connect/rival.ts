import type { RunningContender } from "../contenders/run-contender.ts";

/** A contender for the same table and topic. */
export interface Rival {
  title: string;
  /** Whether it marks the rows that it has published. */
  marks: boolean;
  /** Creates the empty table and the contender's own objects in the database. Rows inserted afterwards are its work. */
  prepare(): Promise<void>;
  /** Starts it; `before` is the result of `read` right before its work began. */
  begin<Reading>(read: () => Promise<Reading>): Promise<Begun<Reading>>;
}

export interface Begun<Reading> {
  before: Reading;
  running: RunningContender;
}
