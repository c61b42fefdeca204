import { checkSlot, type StreamNames, slotStatus } from "./check-slot.ts";
import type { SlotProblem } from "./slot-problem.ts";
import { withScript } from "./with-script.ts";

export interface StreamCheck {
  problems: SlotProblem[];
  /** Bytes of log that the slot keeps; null where there is none. */
  lagBytes: number | null;
  /** `-1`: the server keeps log for a slot without limit. */
  keepSize: string;
}

/** What an operator should know before a relay reads the log, and while it does. Reads catalogs only. */
export function checkStream({ url, names }: { url: string; names: StreamNames }): Promise<StreamCheck> {
  return withScript(url, async (session) => {
    const problems = await checkSlot(session, names);
    const { lag, keepSize } = await slotStatus(session, names.slot);
    return { problems, lagBytes: lag?.value ?? null, keepSize };
  });
}
