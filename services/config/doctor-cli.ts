import { quoteTable } from "#db/outbox/postgres/mapping-sql.ts";
import { recommendedIndexes } from "#db/outbox/postgres/recommended-indexes.ts";
import { ConfigError } from "#domain/errors.ts";
import { type OutboxHandle, openRuntime, type Runtime } from "../runtime.ts";
import { loadConfig } from "./load-config.ts";

interface Report {
  ok(text: string): void;
  bad(text: string, fix?: string): void;
}

/** `npm run doctor`: checks configuration, connections, mappings, permissions and indexes; prints the SQL to run. */
async function main(): Promise<void> {
  let problems = 0;
  const report: Report = {
    ok: (text) => process.stdout.write(`  ok    ${text}\n`),
    bad: (text, fix) => {
      problems += 1;
      process.stdout.write(`  CHECK ${text}\n${fix ? `        ${fix.replaceAll("\n", "\n        ")}\n` : ""}`);
    },
  };
  const runtime = openRuntime({ config: loadConfig(), applicationName: "outbox-console doctor" });
  try {
    report.ok("the configuration is valid");
    await checkTables(runtime, report);
  } finally {
    await runtime.close();
  }
  process.stdout.write(problems === 0 ? "Nothing to do.\n" : `${problems} to look at.\n`);
  process.exitCode = problems === 0 ? 0 : 1;
}

async function checkTables(runtime: Runtime, report: Report): Promise<void> {
  const tables = await runtime.tables();
  for (const problem of tables.problems) report.bad(problem.message);
  for (const outbox of tables.outboxes) await checkOutbox(outbox, report);
  for (const inbox of tables.inboxes)
    report.ok(`inbox ${inbox.name}: ${inbox.mapping.table.schema}.${inbox.mapping.table.name}`);
  if (tables.outboxes.length === 0) report.bad("no outbox table was found", "Name one under outboxes in outbox.yaml.");
}

async function checkOutbox(outbox: OutboxHandle, report: Report): Promise<void> {
  const { name, mapping, config, recognition } = outbox;
  report.ok(`outbox ${name}: ${mapping.table.schema}.${mapping.table.name}, ${recognition.title}, mode ${config.mode}`);
  if (recognition.question)
    report.bad(`outbox ${name}: ${recognition.question}`, "Confirm it with columns: and lifecycle: in outbox.yaml.");
  for (const warning of recognition.warnings) report.bad(`outbox ${name}: ${warning}`);
  for (const index of recommendedIndexes(outbox.catalog, mapping))
    report.bad(`outbox ${name}: an index is missing. ${index.purpose}.`, index.sql);
  if (config.mode === "observe") return;
  if (!outbox.storeSide) report.bad(`outbox ${name}: the schema outbox_console is missing`, "npm run migrate");
  const granted = await outbox.store.reads.query<{ user: string; write: boolean }>(
    "SELECT current_user AS user, has_table_privilege($1, 'SELECT, INSERT, UPDATE, DELETE') AS write",
    [quoteTable(mapping.table)],
  );
  const row = granted.rows[0];
  if (row && !row.write)
    report.bad(
      `outbox ${name}: ${row.user} may not change its rows`,
      `GRANT SELECT, INSERT, UPDATE, DELETE ON ${quoteTable(mapping.table)} TO "${row.user}";`,
    );
}

main().catch((error: unknown) => {
  const known = error instanceof ConfigError;
  process.stderr.write(known ? `${error.message}\n` : `${error instanceof Error ? error.stack : String(error)}\n`);
  process.exitCode = 1;
});
