import { checkSlot, type StreamNames } from "./check-slot.ts";
import type { SlotProblemCode } from "./slot-problem.ts";
import { withScript } from "./with-script.ts";

const CREATED: readonly SlotProblemCode[] = ["publication_missing", "slot_missing"];

/**
 * Creates a missing publication and slot, and returns the SQL executed. Never changes or drops an existing one: its
 * readers depend on it.
 */
export function createStream({ url, names }: { url: string; names: StreamNames }): Promise<string[]> {
  return withScript(url, async (session) => {
    const ran: string[] = [];
    for (const code of CREATED) {
      const problem = (await checkSlot(session, names)).find((one) => one.code === code);
      if (!problem?.sql) continue;
      // A statement of its own: a slot cannot be created in a transaction that has written.
      await session.script(problem.sql);
      ran.push(problem.sql);
    }
    return ran;
  });
}
