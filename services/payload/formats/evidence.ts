import type { PayloadNode } from "#contracts/message/payloads.ts";
import { isPrintable } from "./text.ts";

const SHORTEST_KEY = 2;
const SHORTEST_TEXT = 4;

/**
 * Whether values that a self-describing binary format yields can hardly be a coincidence: an object all of whose keys
 * are printable, one of them longer than a character, or a list with such an object or a readable text.
 */
export function isEvidence(node: PayloadNode): boolean {
  if (node.kind === "object") {
    const keys = node.entries.map(({ key }) => key);
    if (node.type !== null) return node.entries.some(({ value }) => isEvidence(value));
    return keys.every(isPrintable) && keys.some((key) => key.length >= SHORTEST_KEY && /\p{L}/u.test(key));
  }
  if (node.kind !== "list") return false;
  return node.items.some(
    (item) =>
      (item.kind === "string" && item.text.length >= SHORTEST_TEXT && isPrintable(item.text)) || isEvidence(item),
  );
}
