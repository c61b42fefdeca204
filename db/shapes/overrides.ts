import type { ColumnRole, Lifecycle } from "../stores/port/mapping.ts";

/** The configuration of a table, which overrides what its columns suggest. */
export interface MappingOverrides {
  columns: Partial<Record<ColumnRole, string>>;
  lifecycle?: { kind: Lifecycle["kind"] } & Partial<Record<StatusList, string[]>>;
  /** For a table without a published mark: what the relay's configuration says about published rows. */
  unmarked?: "delete" | "log";
  timeZone: string;
  deadAttempts?: number;
}
export type StatusList = "pending" | "inFlight" | "failed" | "published" | "dead" | "expired";
