import type { ColumnRole, Lifecycle } from "../stores/port/mapping.ts";

/** What the configuration says of a table, over what its columns say. */
export interface MappingOverrides {
  columns: Partial<Record<ColumnRole, string>>;
  lifecycle?: { kind: Lifecycle["kind"] } & Partial<Record<StatusList, string[]>>;
  /** Of a table that tells nothing itself: what the relay's own configuration says becomes of a published row. */
  unmarked?: "delete" | "log";
  timeZone: string;
  deadAttempts?: number;
}
export type StatusList = "pending" | "inFlight" | "failed" | "published" | "dead" | "expired";
