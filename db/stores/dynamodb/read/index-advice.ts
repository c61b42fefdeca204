import type { JudgedTable } from "../../port/index-advice.ts";
import type { Room } from "../room.ts";
import { readView } from "./outbox-view.ts";

/** What to create so that waiting items are found without reading the table. */
export function adviceFor({ family, ref }: Pick<Room, "family" | "ref">): { text: string } {
  const configured = family.waiting?.index;
  const text =
    configured === undefined
      ? `Create a global secondary index on ${family.table} whose partition key is an attribute that only waiting items have, and name it as families.${ref.mapping.table.name}.waiting.index.`
      : `No index of ${family.table} answers this: ${configured} holds only what waits.`;
  return { text };
}

/** The index of waiting items is all that helps here: DynamoDB cannot combine indexes. */
export async function judgeIndexes(room: Room): Promise<JudgedTable> {
  const view = await readView(room);
  const small = view.covers === "all";
  const hasIndex = view.fromIndex || small;
  return {
    indexes: hasIndex
      ? []
      : [{ use: "waiting", purpose: "Finds waiting messages", sql: adviceFor(room).text, verdict: "missing" }],
    claim: null,
    small,
  };
}
