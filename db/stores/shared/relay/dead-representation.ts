import type { OutboxMapping } from "../../port/mapping.ts";
import { deadWord } from "../act/writable-words.ts";

/** How a dead message is recorded: in the table's own columns, by moving the row, or in its delivery row. */
export type DeadRepresentation = "native" | "move" | "beside";

/** How dead messages are recorded, given the mapping and whether rows may move. */
export function deadRepresentation(mapping: OutboxMapping, movable: boolean): DeadRepresentation {
  const { lifecycle, columns, deadAttempts } = mapping;
  const byWord = deadWord(lifecycle) !== undefined;
  const byAttempts = columns.attempts !== undefined && deadAttempts !== null;
  if (byWord || byAttempts) return "native";
  return movable ? "move" : "beside";
}
