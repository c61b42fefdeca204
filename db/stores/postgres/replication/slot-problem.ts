import type { StreamProblem } from "../../port/relay/relay-stream.ts";

export type SlotProblemCode =
  | "wal_level"
  | "permission"
  | "publication_missing"
  | "publication"
  | "slot_missing"
  | "slot_lost"
  | "slot_in_use"
  | "slot_other"
  | "columns"
  | "connection";

/** Why a slot cannot be read. */
export interface SlotProblem extends StreamProblem {
  code: SlotProblemCode;
}

export function slotProblem(code: SlotProblemCode, message: string, sql: string | null = null): SlotProblem {
  const passes = code === "connection" || code === "slot_in_use";
  return { code, passes, misses: code === "publication" || code === "publication_missing", message, sql };
}
