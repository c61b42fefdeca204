import type { ColumnRole, MarkedLifecycle } from "../stores/port/mapping.ts";
import type { StatusWords } from "../stores/port/mapping-fingerprint.ts";

/** The configuration of a table, which overrides what its columns suggest. */
export interface MappingOverrides {
  columns: Partial<Record<ColumnRole, string>>;
  lifecycle?: { kind: MarkedLifecycle["kind"] } & Partial<StatusWords>;
  /** For a table without a published mark: what the relay's configuration says about published rows. */
  unmarked?: "delete" | "log";
  /** Slug of a library's table, or `none`: a person's answer to whose table it is. */
  shape?: string;
  timeZone: string;
  deadAttempts?: number;
  /** `deadAttempts` is the relay's: a row's own limit counts beside it. */
  limitCounts?: true;
  /** Our relay publishes the table, and records what failed. */
  ownRelay?: true;
}
export type StatusList = "pending" | "inFlight" | "failed" | "published" | "dead" | "expired";
