import type { StreamProblem } from "../../port/relay/relay-stream.ts";

export type BinlogProblemCode =
  | "log_off"
  | "log_settings"
  | "log_filter"
  | "permission"
  | "reader_missing"
  | "log_lost"
  | "columns"
  | "metadata"
  | "statement"
  | "decoding"
  | "connection";

/** Why the binary log cannot be read. */
export interface BinlogProblem extends StreamProblem {
  code: BinlogProblemCode;
}

/** Sessions that begin after such a setting was changed log their rows in another form, or not at all. */
const LEAVES_OUT_ROWS: readonly BinlogProblemCode[] = ["log_settings", "log_filter"];

export function binlogProblem(code: BinlogProblemCode, message: string, sql: string | null = null): BinlogProblem {
  return { code, passes: code === "connection", misses: LEAVES_OUT_ROWS.includes(code), message, sql };
}
