import type { TimeEncoding } from "../../stores/port/mapping.ts";

/** Columns of a library that are numbers of milliseconds. */
export const epochMilliseconds = (...columns: string[]): Record<string, TimeEncoding> =>
  Object.fromEntries(columns.map((name) => [name, { kind: "epoch", unit: "ms" }]));
