import { checkStream } from "#db/stores/postgres/replication/check-stream.ts";
import { cdcNames } from "../config/cdc-names.ts";
import type { OutboxHandle } from "../runtime.ts";
import type { DoctorReport } from "./report.ts";

/** What a relay with `source: cdc` needs of the server, with the SQL that makes it. Creates nothing. */
export async function checkOutboxStream(outbox: OutboxHandle, report: DoctorReport): Promise<void> {
  const { relay } = outbox.config;
  if (relay?.source !== "cdc") return;
  const names = { ...cdcNames(outbox.name, relay.cdc), table: outbox.mapping.table };
  const { problems, lagBytes, keepSize } = await checkStream({ url: outbox.store.directUrl, names });
  const found = problems.filter(({ code }) => code !== "slot_in_use");
  for (const { message, sql } of found) report.bad(`outbox ${outbox.name}: ${message}`, sql ?? undefined);
  if (relay.cdc.mark === "column" && outbox.mapping.lifecycle.kind === "log") {
    report.bad(
      `outbox ${outbox.name}: its rows do not tell whether they were published`,
      "Set relay.cdc.mark to delete or none.",
    );
  }
  if (found.length > 0) return;
  const reader = problems[0] ? `; ${problems[0].message}` : "";
  report.ok(`outbox ${outbox.name}: the log can be read through the slot ${names.slot}${reader}`);
  const limit = keepSize === "-1" ? "without limit (max_slot_wal_keep_size)" : `up to ${keepSize}`;
  report.ok(`outbox ${outbox.name}: the slot keeps ${lagBytes ?? 0} bytes of log now; the server keeps it ${limit}`);
}
