import { toDatabaseError } from "#db/stores/postgres/connection/database-error.ts";
import { quoteIdentifier, quoteTable } from "#db/stores/postgres/tables/mapping-sql.ts";
import { judgeIndexesOf, purposeOf } from "../outboxes/missing-indexes.ts";
import { missingRouteFields } from "../outboxes/missing-route-fields.ts";
import type { OutboxHandle, Runtime } from "../runtime.ts";
import type { OutboxStop } from "../stores/outbox-stop.ts";
import { checkOutboxStream } from "./check-outbox-stream.ts";
import { mappingBlock } from "./mapping-block.ts";
import type { DoctorReport } from "./report.ts";
import { reportRowSecurity } from "./report-row-security.ts";

/** Mappings, permissions, indexes and streams of every table, with the SQL to run. */
export async function checkTables(runtime: Runtime, report: DoctorReport): Promise<void> {
  const tables = await runtime.tables();
  for (const problem of tables.problems) report.bad(problem.message);
  for (const outbox of tables.outboxes)
    await checkOutbox(outbox, report).catch((error: unknown) =>
      report.bad(toDatabaseError(error, `outbox ${outbox.name}`).message),
    );
  for (const inbox of tables.inboxes) {
    report.ok(`inbox ${inbox.name}: ${inbox.mapping.table.schema}.${inbox.mapping.table.name}`);
    if (inbox.catalog.rowSecurity)
      await reportRowSecurity({ store: inbox.store, table: inbox.mapping.table, mode: "observe", report });
  }
  if (tables.outboxes.length === 0 && tables.problems.length === 0)
    report.bad("no outbox table was found", "Name one under outboxes in outbox.yaml.");
}

async function checkOutbox(outbox: OutboxHandle, report: DoctorReport): Promise<void> {
  const { name, mapping, config, recognition } = outbox;
  report.ok(`outbox ${name}: ${mapping.table.schema}.${mapping.table.name}, ${recognition.title}, mode ${config.mode}`);
  if (outbox.stop) report.bad(outbox.stop.message, remedyOf(outbox, outbox.stop));
  else if (recognition.question) report.bad(`outbox ${name}: ${recognition.question}`, blockOf(outbox));
  for (const warning of recognition.warnings) report.bad(`outbox ${name}: ${warning}`);
  if (outbox.catalog.rowSecurity)
    await reportRowSecurity({ store: outbox.store, table: mapping.table, mode: config.mode, report });
  await checkIndexes(outbox, report);
  for (const missing of missingRouteFields(outbox))
    report.bad(missing, `Its columns are ${outbox.catalog.columns.map((column) => column.name).join(", ")}.`);
  await checkGrants(outbox, report);
  await checkOutboxStream(outbox, report);
}

function remedyOf(outbox: OutboxHandle, stop: OutboxStop): string {
  return stop.code === "mapping_changed" ? stop.remedy : blockOf(outbox);
}

function blockOf(outbox: OutboxHandle): string {
  return `Correct what is wrong and paste it into outbox.yaml:\n${mappingBlock(outbox)}`;
}

/** By planning the statements of relay and console. On a small table a missing index costs nothing yet. */
async function checkIndexes(outbox: OutboxHandle, report: DoctorReport): Promise<void> {
  const { name } = outbox;
  const judged = await judgeIndexesOf(outbox).catch((error: unknown) => {
    report.bad(`outbox ${name}: its indexes could not be judged: ${toDatabaseError(error, `outbox ${name}`).message}`);
    return null;
  });
  if (!judged) return;
  const { indexes, claim, small } = judged;
  const say = small ? report.advise : report.bad;
  const lacking = indexes.filter(({ verdict }) => verdict !== "ok");
  if (claim && !claim.indexed && lacking.some(({ use }) => use === "waiting"))
    say(
      claim.index === null
        ? `outbox ${name}: no index serves the relay's claim: each poll reads the whole table.`
        : `outbox ${name}: the relay's claim walks over all entries of the index ${claim.index}.`,
    );
  for (const index of lacking) say(`outbox ${name}: an index is missing. ${purposeOf(index)}.`, index.sql);
  if (lacking.length === 0) report.ok(`outbox ${name}: every statement of relay and console has its index`);
}

interface Granted {
  user: string;
  schemaUsage: boolean;
  read: boolean;
  write: boolean;
  storeSideThere: boolean;
  storeSideUsage: boolean;
}

/** What the user of the store's URL may do, against what the outbox's mode needs. */
async function checkGrants(outbox: OutboxHandle, report: DoctorReport): Promise<void> {
  const { name, mapping, config, store } = outbox;
  const table = quoteTable(mapping.table);
  const granted = await store.reads.query<Granted>(
    `SELECT current_user AS user, has_schema_privilege($2, 'USAGE') AS "schemaUsage", has_table_privilege(c.oid, 'SELECT') AS read,
       has_table_privilege(c.oid, 'INSERT') AND has_table_privilege(c.oid, 'UPDATE') AND has_table_privilege(c.oid, 'DELETE') AS write,
       EXISTS (SELECT 1 FROM pg_namespace WHERE nspname = 'outbox_console') AS "storeSideThere",
       coalesce((SELECT has_schema_privilege(n.oid, 'USAGE') FROM pg_namespace n WHERE n.nspname = 'outbox_console'), true) AS "storeSideUsage"
     FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace WHERE n.nspname = $2 AND c.relname = $1`,
    [mapping.table.name, mapping.table.schema],
  );
  const row = granted.rows[0];
  if (!row) return;
  const user = quoteIdentifier(row.user);
  if (!row.schemaUsage)
    report.bad(
      `outbox ${name}: ${row.user} may not look into its schema`,
      `GRANT USAGE ON SCHEMA ${quoteIdentifier(mapping.table.schema)} TO ${user};`,
    );
  if (!row.read) report.bad(`outbox ${name}: ${row.user} may not read it`, `GRANT SELECT ON ${table} TO ${user};`);
  if (config.mode === "observe") return;
  if (row.read && !row.write)
    report.bad(
      `outbox ${name}: ${row.user} may not change its rows`,
      `GRANT INSERT, UPDATE, DELETE ON ${table} TO ${user};`,
    );
  if (row.storeSideThere && !row.storeSideUsage) {
    report.bad(
      `outbox ${name}: ${row.user} may not use the schema outbox_console`,
      `GRANT USAGE ON SCHEMA outbox_console TO ${user};\nGRANT SELECT, INSERT, UPDATE, DELETE ON ALL TABLES IN SCHEMA outbox_console TO ${user};\nGRANT USAGE ON ALL SEQUENCES IN SCHEMA outbox_console TO ${user};`,
    );
  } else if (!outbox.storeSide) {
    report.bad(`outbox ${name}: the schema outbox_console is missing or of another version`, "npm run migrate");
  }
}
