import { formatBytes } from "#domain/format.ts";
import type { DoctorFinding } from "../../port/doctor.ts";
import type { OutboxRef } from "../../port/outbox-ref.ts";
import type { StreamOptions } from "../../port/store.ts";
import { checkStream } from "../replication/check-stream.ts";
import type { SlotProblemCode } from "../replication/slot-problem.ts";
import { identifyingColumns } from "../replication/tuple-reader.ts";

const NEW_SLOT: readonly SlotProblemCode[] = ["slot_missing", "slot_lost"];
const ONLY_IN_THE_TABLE =
  " A new slot begins at the moment of its creation: with mark none, rows that were committed before it and not sent are in the table only. Insert them again, as new rows, once the slot is there.";

/** Checks what reading the log needs on the server, with the SQL that creates it. Creates nothing. */
export async function checkOutboxStream(
  url: string,
  { name, mapping }: OutboxRef,
  stream: StreamOptions,
): Promise<DoctorFinding[]> {
  const names = {
    slot: stream.reader,
    publication: stream.feed,
    table: mapping.table,
    columns: identifyingColumns(mapping),
  };
  const { problems, lagBytes, keepSize } = await checkStream({ url, names });
  const found = problems.filter(({ code }) => code !== "slot_in_use");
  const findings: DoctorFinding[] = found.map(({ code, message, sql }) => ({
    level: "bad",
    text: `outbox ${name}: ${message}${stream.mark === "none" && NEW_SLOT.includes(code) ? ONLY_IN_THE_TABLE : ""}`,
    ...(sql === null ? {} : { fix: sql }),
  }));
  if (stream.mark === "column" && mapping.lifecycle.kind === "log") {
    const text = `outbox ${name}: its rows do not show whether they were published`;
    findings.push({ level: "bad", text, fix: "Set relay.cdc.mark to delete or none." });
  }
  if (found.length > 0) return findings;
  const reader = problems[0] ? `; ${problems[0].message}` : "";
  const limit = keepSize === "-1" ? "without limit (max_slot_wal_keep_size)" : `up to ${keepSize}`;
  const log = lagBytes === null ? "an amount of log that is not known" : `${formatBytes(lagBytes)} of log`;
  const kept = `the slot keeps ${log} now; the server keeps it ${limit}`;
  return [
    ...findings,
    { level: "ok", text: `outbox ${name}: the log can be read through the slot ${stream.reader}${reader}` },
    { level: "ok", text: `outbox ${name}: ${kept}` },
  ];
}
