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

export function binlogProblem(code: BinlogProblemCode, message: string, sql: string | null = null): BinlogProblem {
  return { code, passes: code === "connection", message, sql };
}
