import { toAppError } from "#domain/errors.ts";
import { cdcNames } from "../config/cdc-names.ts";
import { AFTER_ANSWER, isOfGuess } from "../outboxes/index-of-guess.ts";
import { createdOnce, judgeIndexesOf, purposeOf } from "../outboxes/missing-indexes.ts";
import { missingRouteFields } from "../outboxes/missing-route-fields.ts";
import { outboxOf } from "../outboxes/outbox-of.ts";
import type { InboxHandle, OutboxHandle, Runtime } from "../runtime.ts";
import type { OutboxStop } from "../stores/outbox-stop.ts";
import { candidateBlock, inboxBlock } from "./candidate-block.ts";
import { checkConnector } from "./check-connector.ts";
import { mappingBlock } from "./mapping-block.ts";
import { type DoctorReport, reportFindings } from "./report.ts";
import { reportRowSecurity } from "./report-row-security.ts";

/** Checks mappings, permissions, indexes and streams of every table, with the SQL to run. */
export async function checkTables(runtime: Runtime, report: DoctorReport): Promise<void> {
  const tables = await runtime.tables();
  for (const problem of tables.problems) report.bad(problem.message);
  for (const outbox of tables.outboxes)
    await checkOutbox(outbox, report).catch((error: unknown) => report.bad(toAppError(error).message));
  for (const inbox of tables.inboxes)
    await checkInbox(inbox, report).catch((error: unknown) => report.bad(toAppError(error).message));
  for (const candidate of tables.candidates)
    report.advise(candidate.question, candidateBlock({ ...candidate, store: candidate.store.name }));
  for (const { reason, store, table, mayBeInbox } of tables.leftAlone) {
    if (mayBeInbox) report.advise(reason, inboxBlock({ store, table }));
    else report.ok(`store ${store}: left alone: ${reason}`);
  }
  if (tables.outboxes.length === 0 && tables.problems.length === 0)
    report.bad("no outbox table was found", "Name one under outboxes in outbox.yaml.");
}

async function checkInbox({ name, store, mapping, catalog }: InboxHandle, report: DoctorReport): Promise<void> {
  const { table } = mapping;
  if (catalog.rowSecurity) return reportRowSecurity({ store, table, mode: "observe", report });
  try {
    await store.inbox(name, mapping).list({ filter: { state: "all" }, limit: 1 });
    report.ok(`inbox ${name}: ${table.schema}.${table.name}`);
    if (mapping.question) report.advise(`inbox ${name}: ${mapping.question}`);
  } catch (error) {
    const { code, message } = toAppError(error);
    if (code !== "forbidden") return report.bad(message);
    const user = await store.user();
    report.bad(`inbox ${name}: ${user} may not read it`, store.readGrant(table, user) || undefined);
  }
}

async function checkOutbox(outbox: OutboxHandle, report: DoctorReport): Promise<void> {
  const { name, mapping, config, recognition } = outbox;
  report.ok(`outbox ${name}: ${mapping.table.schema}.${mapping.table.name}, ${recognition.title}, mode ${config.mode}`);
  await checkConnector(outbox, report);
  if (config.debezium && outbox.stop?.code === "lifecycle_untold") report.ok(outbox.stop.message);
  else if (outbox.stop) report.bad(outbox.stop.message, remedyOf(outbox, outbox.stop));
  else if (recognition.question) report.bad(`outbox ${name}: ${recognition.question}`, blockOf(outbox));
  for (const warning of recognition.warnings) report.bad(`outbox ${name}: ${warning}`);
  if (outbox.catalog.rowSecurity)
    await reportRowSecurity({ store: outbox.store, table: mapping.table, mode: config.mode, report });
  await checkIndexes(outbox, report);
  for (const missing of missingRouteFields(outbox))
    report.bad(missing, `Its columns are ${outbox.catalog.columns.map((column) => column.name).join(", ")}.`);
  const { mode, relay } = config;
  const stream = relay?.source === "cdc" ? cdcNames(name, relay.cdc) : undefined;
  reportFindings(await outboxOf(outbox).doctor({ mode, stream }), report);
}

function remedyOf(outbox: OutboxHandle, stop: OutboxStop): string {
  return stop.code === "mapping_changed" ? stop.remedy : blockOf(outbox);
}

function blockOf(outbox: OutboxHandle): string {
  return `Correct this where needed and paste it into outbox.yaml:\n${mappingBlock(outbox)}`;
}

/** Plans the statements of relay and console. On a small table a missing index costs nothing yet. */
async function checkIndexes(outbox: OutboxHandle, report: DoctorReport): Promise<void> {
  const { name } = outbox;
  const judged = await judgeIndexesOf(outbox).catch((error: unknown) => {
    const { code, message } = toAppError(error);
    // The check of grants reports it, with the statement.
    if (code !== "forbidden") report.bad(`outbox ${name}: its indexes could not be judged: ${message}`);
    return null;
  });
  if (!judged) return;
  const { indexes, claim, small } = judged;
  const say = small ? report.advise : report.bad;
  const lacking = createdOnce(indexes);
  if (claim && !claim.indexed && lacking.some(({ use }) => use === "waiting"))
    say(
      claim.index === null
        ? `outbox ${name}: no index serves the relay's claim: each poll reads the whole table.`
        : `outbox ${name}: the relay's claim reads every entry of the index ${claim.index}.`,
    );
  for (const index of lacking) {
    const what = `outbox ${name}: an index is missing. ${purposeOf(index)}.`;
    if (isOfGuess(outbox, index)) say(`${what} ${AFTER_ANSWER}.`);
    else say(what, index.sql);
  }
  if (lacking.length === 0) report.ok(`outbox ${name}: every statement of relay and console has its index`);
}
