import { formatBytes } from "#domain/format.ts";

/** A dash where the store does not say it. */
export function formatBytesOf(bytes: number | null): string {
  return bytes === null ? "–" : formatBytes(Math.round(bytes));
}
