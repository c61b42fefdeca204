import { checkSlot, type StreamNames, slotStatus } from "./check-slot.ts";
import type { SlotProblem } from "./slot-problem.ts";
import { withScript } from "./with-script.ts";

export interface StreamCheck {
  problems: SlotProblem[];
  /** Bytes of log that the slot retains; null without a slot. */
  lagBytes: number | null;
  /** The server's max_slot_wal_keep_size; `-1`: no limit. */
  keepSize: string;
}

/** Checks whether a relay can read the log, and how much the slot retains. Reads catalogs only. */
export function checkStream({ url, names }: { url: string; names: StreamNames }): Promise<StreamCheck> {
  return withScript(url, async (session) => {
    const problems = await checkSlot(session, names);
    const { lag, keepSize } = await slotStatus(session, names.slot);
    return { problems, lagBytes: lag?.value ?? null, keepSize };
  });
}
