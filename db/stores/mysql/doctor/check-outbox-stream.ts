import { formatBytes } from "#domain/format.ts";
import { ourCommand } from "#domain/text/our-command.ts";
import type { DoctorFinding } from "../../port/doctor.ts";
import type { OutboxRef } from "../../port/outbox-ref.ts";
import type { StreamOptions } from "../../port/store.ts";
import { isMissing } from "../connection/database-error.ts";
import type { Session } from "../connection/session.ts";
import { type BinlogNames, checkBinlog, statusOf } from "../replication/check-binlog.ts";

/** Checks what reading the binary log needs on the server, with the SQL that sets it. Changes nothing. */
export async function checkOutboxStream(
  session: Session,
  { name, mapping }: OutboxRef,
  stream: StreamOptions,
): Promise<DoctorFinding[]> {
  const names = { reader: stream.reader, schema: mapping.table.schema };
  const findings = await logFindings(session, `outbox ${name}`, names);
  if (stream.mark !== "column" || mapping.lifecycle.kind !== "log") return findings;
  const text = `outbox ${name}: its rows do not show whether they were published`;
  return [{ level: "bad", text, fix: "Set relay.cdc.mark to delete or none." }, ...findings];
}

async function logFindings(session: Session, of: string, names: BinlogNames): Promise<DoctorFinding[]> {
  try {
    const checked = await checkBinlog(session, session.own, names);
    const { problems, settings } = checked;
    if (problems.length > 0)
      return problems.map(({ message, sql }) => ({
        level: "bad",
        text: `${of}: ${message}`,
        ...(sql === null ? {} : { fix: sql }),
      }));
    const { lag, detail } = statusOf(names.reader, checked);
    const unread = lag ? formatBytes(lag.value) : "an amount of log that is not known";
    const keep = settings.keepSeconds > 0 ? `for ${settings.keepSeconds} s` : "without a limit of time";
    return [
      { level: "ok", text: `${of}: the binary log can be read by the reader ${names.reader}, from ${detail} on` },
      { level: "ok", text: `${of}: it has ${unread} to read now; the server keeps its log ${keep}` },
    ];
  } catch (error) {
    if (!isMissing(error)) throw error;
    const text = `${of}: our tables are missing or older, so there is no reader of the binary log`;
    return [{ level: "bad", text, fix: ourCommand("migrate", "--cdc") }];
  }
}
