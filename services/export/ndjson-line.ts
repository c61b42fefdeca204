import type { Cell } from "./cell.ts";

/** One line of NDJSON. Stored JSON is written digit by digit; only its line breaks become spaces. */
export function ndjsonLine(names: readonly string[], cells: readonly Cell[]): string {
  const members = names.map((name, index) => `${JSON.stringify(name)}:${jsonOf(cells[index] ?? null)}`);
  return `{${members.join(",")}}\n`;
}

/** Valid JSON has line breaks between its values only, never inside a string. */
function jsonOf(cell: Cell): string {
  return typeof cell === "object" && cell !== null ? cell.json.replace(/[\r\n]+/g, " ") : JSON.stringify(cell);
}
