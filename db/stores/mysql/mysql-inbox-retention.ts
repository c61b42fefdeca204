import { runsOf } from "#db/stores/shared/retention/inbox-retention.ts";
import { AppError } from "#domain/errors.ts";
import type { InboxMapping } from "../port/inbox-mapping.ts";
import type { InboxRetention } from "../port/inbox-retention.ts";
import { withLimitedWrite } from "./connection/limited-write.ts";
import type { Pool } from "./connection/pool.ts";
import type { Session } from "./connection/session.ts";
import type { StorePools } from "./connection/store-pools.ts";
import { asking } from "./connection/to-store-error.ts";
import { withReadTransaction } from "./connection/transaction.ts";
import { previewInbox, removeInboxRows, whyInboxRowsStay } from "./retention/inbox-rows.ts";
import { readPressure } from "./retention/read-pressure.ts";
import { countInRun } from "./retention/remove-published.ts";
import { beginInboxRun, endRun, listRuns } from "./retention/runs.ts";
import { requireZones } from "./tables/zones.ts";

const READ_TIMEOUT_MS = 5_000;

export function createInboxRetention(
  { reads, writes }: StorePools,
  name: string,
  mapping: InboxMapping,
): InboxRetention {
  const ask = <T>(work: () => Promise<T>) => asking(`inbox ${name}`, work);
  const read = <T>(pool: Pool, work: (session: Session) => Promise<T>) =>
    ask(() =>
      withReadTransaction(pool, READ_TIMEOUT_MS, async (session) => {
        await requireZones(session, mapping);
        return work(session);
      }),
    );
  return {
    refuses: () => read(reads(), (session) => whyInboxRowsStay(session, mapping)),
    preview: (keepSeconds) => read(reads(), (session) => previewInbox(session, mapping, keepSeconds)),
    removeSome: (keepSeconds, request) =>
      ask(() =>
        withLimitedWrite(writes(), request.timeoutMs, async (session) => {
          await requireZones(session, mapping);
          const no = await whyInboxRowsStay(session, mapping);
          if (no !== null) throw new AppError("wrong_state", no);
          const removed = await removeInboxRows(session, mapping, { keepSeconds, request });
          await countInRun(session, request.run, removed);
          return removed;
        }),
      ),
    pressure: () => ask(() => readPressure(writes())),
    begin: (rule) => ask(() => beginInboxRun(writes(), name, rule)),
    end: (run, end, detail) => ask(() => endRun(writes(), run, end, detail)),
    runs: (limit) => read(reads(), (session) => listRuns(session, runsOf(name), limit)),
  };
}
