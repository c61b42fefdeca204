import type { Pool } from "pg";
import { withWriteTransaction } from "#db/postgres/transaction.ts";
import { writeFindings } from "#db/watchdog/finding-rows.ts";
import type { Evaluation } from "./evaluate-outbox.ts";

/** Keeps what one look at an outbox found: opens, carries on and closes findings, all or nothing. */
export async function recordFindings(input: {
  consoleDb: Pool;
  outbox: string;
  evaluation: Evaluation;
}): Promise<void> {
  const { consoleDb, outbox, evaluation } = input;
  const findings = evaluation.findings.map(({ rule, key, since, ...detail }) => ({
    rule,
    subject: key,
    since,
    detail,
  }));
  const unread = evaluation.unread.map(({ rule }) => rule);
  await withWriteTransaction(consoleDb, (client) => writeFindings(client, { outbox, findings, unread }));
}
