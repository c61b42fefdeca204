import type { OutboxRef } from "../port/outbox-ref.ts";
import type { OutboxRetention } from "../port/retention.ts";
import type { StorePools } from "./connection/store-pools.ts";
import { asking } from "./connection/to-store-error.ts";
import { withReadTransaction, withWriteTransaction } from "./connection/transaction.ts";
import { previewPublished } from "./retention/preview-published.ts";
import { purgeArchived } from "./retention/purge-archived.ts";
import { readPressure } from "./retention/read-pressure.ts";
import { countInRun, removePublished } from "./retention/remove-published.ts";
import { beginRun, endRun, listRuns } from "./retention/runs.ts";
import { whyRowsStay } from "./retention/why-rows-stay.ts";

const READ_TIMEOUT_MS = 5_000;

export function createOutboxRetention({ reads, writes }: StorePools, ref: OutboxRef): OutboxRetention {
  const ask = <T>(work: () => Promise<T>) => asking(`outbox ${ref.name}`, work);
  return {
    refuses: (rule) =>
      ask(() => withReadTransaction(reads(), READ_TIMEOUT_MS, (session) => whyRowsStay(session, ref, rule))),
    preview: (rule) => ask(() => previewPublished(reads(), ref, rule)),
    removeSome: (rule, request) => ask(() => removePublished(writes(), ref, rule, request)),
    purgeArchived: (keepSeconds, request) => ask(() => purgeArchived(writes(), ref, keepSeconds, request)),
    pressure: () => ask(() => readPressure(writes())),
    begin: (run) => ask(() => beginRun(writes(), ref.name, run)),
    end: (run, end, detail) => ask(() => endRun(writes(), run, end, detail)),
    count: (run, removed) => ask(() => withWriteTransaction(writes(), (session) => countInRun(session, run, removed))),
    runs: (limit) =>
      ask(() => withReadTransaction(reads(), READ_TIMEOUT_MS, (session) => listRuns(session, ref.name, limit))),
  };
}
