import type { KeptRows, RetentionRule } from "../../port/retention.ts";
import type { Keyset } from "../read/keyset.ts";
import type { AgeColumn } from "./age-column.ts";

/** The order in which old rows are found. */
export interface Walk extends Keyset {
  /** The order differs from the order of age, so rows are read in windows, whether they are old or not. */
  windowed: boolean;
}

/** What removable rows are searched for, and from where. */
export interface Search {
  rule: RetentionRule;
  age: AgeColumn;
  walk: Walk;
  limit: number;
  after: string[] | null;
}

/** Removable rows that were found; `next`: where the search goes on. */
export interface FoundRows {
  ids: string[];
  bytes: number;
  kept: KeptRows[];
  next: string[] | null;
}
