import { runsOf } from "#db/stores/shared/retention/inbox-retention.ts";
import { AppError } from "#domain/errors.ts";
import type { InboxMapping } from "../port/inbox-mapping.ts";
import type { InboxRetention } from "../port/inbox-retention.ts";
import type { StorePools } from "./connection/store-pools.ts";
import { asking } from "./connection/to-store-error.ts";
import { withReadTransaction, withWriteTransaction } from "./connection/transaction.ts";
import { previewInbox, removeInboxRows, whyInboxRowsStay } from "./retention/inbox-rows.ts";
import { readPressure } from "./retention/read-pressure.ts";
import { countInRun, limits } from "./retention/remove-published.ts";
import { beginInboxRun, endRun, listRuns } from "./retention/runs.ts";

const READ_TIMEOUT_MS = 5_000;

export function createInboxRetention(
  { reads, writes }: StorePools,
  name: string,
  mapping: InboxMapping,
): InboxRetention {
  const ask = <T>(work: () => Promise<T>) => asking(`inbox ${name}`, work);
  return {
    refuses: () =>
      ask(() => withReadTransaction(reads(), READ_TIMEOUT_MS, (client) => whyInboxRowsStay(client, mapping))),
    preview: (keepSeconds) =>
      ask(() => withReadTransaction(reads(), READ_TIMEOUT_MS, (client) => previewInbox(client, mapping, keepSeconds))),
    removeSome: (keepSeconds, request) =>
      ask(() =>
        withWriteTransaction(writes(), async (client) => {
          await client.query(limits(request.timeoutMs));
          const no = await whyInboxRowsStay(client, mapping);
          if (no !== null) throw new AppError("wrong_state", no);
          const removed = await removeInboxRows(client, mapping, { keepSeconds, request });
          await countInRun(client, request.run, removed);
          return removed;
        }),
      ),
    pressure: () => ask(() => readPressure(writes())),
    begin: (rule) => ask(() => beginInboxRun(writes(), name, rule)),
    end: (run, end, detail) => ask(() => endRun(writes(), run, end, detail)),
    runs: (limit) => ask(() => listRuns(reads(), runsOf(name), limit)),
  };
}
