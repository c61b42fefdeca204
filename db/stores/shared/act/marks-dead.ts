import type { OutboxMapping } from "../../port/mapping.ts";
import { deadAssignments } from "./native-updates.ts";
import type { ValueWriter } from "./ruled-changes.ts";
import { ruledVerb } from "./ruled-verb.ts";

/** Whether the table's own columns can say that a message is dead. */
export function marksDead(mapping: OutboxMapping, write: ValueWriter): boolean {
  const rule = ruledVerb(mapping, "dead-letter");
  return rule ? "set" in rule : deadAssignments(mapping, null, write) !== null;
}
