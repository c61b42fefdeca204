import type { Cell } from "./cell.ts";

/** Spreadsheets run a text that begins like this as a formula; ' marks the texts that were changed. */
const DANGEROUS = /^[\s\0]*[=+\-@'＝＋－＠\t\r\n]/;
const NUMBER = /^-?\d+(\.\d+)?$/;

/**
 * One line of CSV (RFC 4180), with its line end. Null is an empty field, an empty text is "". A text that a spreadsheet
 * would run as a formula gets a leading ', and so does one that begins with '; a plain number does not.
 */
export function csvLine(cells: readonly Cell[]): string {
  // An empty line would not count as a row.
  return `${cells.map(field).join(",") || '""'}\r\n`;
}

function field(cell: Cell): string {
  if (cell === null) return "";
  if (typeof cell === "number" || typeof cell === "boolean") return String(cell);
  const text = typeof cell === "string" ? cell : cell.json;
  const safe = DANGEROUS.test(text) && !NUMBER.test(text) ? `'${text}` : text;
  return safe === "" || /[",;\s]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}
