import { parseArgs } from "node:util";
import { migrateConsoleSide } from "#db/records/migrate.ts";
import { migrateStoreSide } from "#db/stores/postgres/own-schema/migrate.ts";
import { createStream } from "#db/stores/postgres/replication/create-stream.ts";
import { ConfigError, isAppError } from "#domain/errors.ts";
import { cdcNames } from "../config/cdc-names.ts";
import type { Config } from "../config/config-schema.ts";
import { loadConfig } from "../config/load-config.ts";
import { openRuntime } from "../runtime.ts";
import { addressOf } from "../stores/open-store.ts";
import { acceptMapping } from "./accept-mapping.ts";
import { migrationError } from "./migration-error.ts";

/**
 * `npm run migrate`: creates or updates our schemas in every configured store and on the console side. With `--cdc` also
 * the publications and slots that are missing for relays that read the log. `--accept-mapping <outbox>` does nothing but
 * accept the mapping of one outbox as it is now.
 */
async function main(): Promise<void> {
  const asked = readArguments();
  const config = loadConfig();
  const outbox = asked["accept-mapping"];
  if (outbox !== undefined) return accept(config, outbox);
  const embedded = process.env.OUTBOX_EMBEDDED_URL;
  if (embedded) await migrate("the console side (embedded Postgres)", embedded, migrateConsoleSide);
  for (const [name, store] of Object.entries(config.stores)) {
    await migrate(`schema outbox_console in store ${name}`, store.directUrl ?? store.url, migrateStoreSide);
  }
  const consoleUrl = config.console.databaseUrl ?? (embedded ? undefined : firstOperated(config));
  if (consoleUrl) await migrate("schema outbox_console_app of the console side", consoleUrl, migrateConsoleSide);
  // Last: a server that cannot decode its log keeps nothing else from being made.
  if (asked.cdc) await createStreams(config);
}

function readArguments(): { cdc?: boolean; "accept-mapping"?: string } {
  try {
    return parseArgs({ options: { cdc: { type: "boolean" }, "accept-mapping": { type: "string" } } }).values;
  } catch (error) {
    throw new ConfigError([error instanceof Error ? error.message : String(error)]);
  }
}

async function accept(config: Config, outbox: string): Promise<void> {
  const runtime = openRuntime({ config, applicationName: "outbox-console migrate" });
  try {
    process.stdout.write(`${await acceptMapping(runtime, outbox)}\n`);
  } finally {
    await runtime.close();
  }
}

/** Publications and slots change the server for everyone: they are created only when asked for by `--cdc`. */
async function createStreams(config: Config): Promise<void> {
  const runtime = openRuntime({ config, applicationName: "outbox-console migrate", once: true });
  try {
    for (const { name, config: outbox, mapping, store } of (await runtime.tables()).outboxes) {
      if (outbox.relay?.source !== "cdc") continue;
      const names = { ...cdcNames(name, outbox.relay.cdc), table: mapping.table };
      const what = `publication and slot of outbox ${name}`;
      const ran = await createStream({ url: store.directUrl, names }).catch((error: unknown) => {
        const [sentence] = migrationError(error, what, store.directUrl).problems;
        throw new ConfigError([`${sentence} npm run doctor says what is missing.`]);
      });
      for (const sql of ran) process.stdout.write(`Ran: ${sql}\n`);
      if (ran.length === 0) process.stdout.write(`Up to date: ${what}\n`);
    }
  } finally {
    await runtime.close();
  }
}

function firstOperated(config: Config): string | undefined {
  const operated = Object.values(config.outboxes).find((outbox) => outbox.mode !== "observe");
  const store = operated ? config.stores[operated.store] : undefined;
  return store?.directUrl ?? store?.url;
}

async function migrate(what: string, url: string, apply: (url: string) => Promise<void>): Promise<void> {
  try {
    await apply(url);
    process.stdout.write(`Up to date: ${what} at ${addressOf(url)}\n`);
  } catch (error) {
    throw migrationError(error, what, url);
  }
}

main().catch((error: unknown) => {
  const known = error instanceof ConfigError || isAppError(error);
  process.stderr.write(known ? `${error.message}\n` : `${error instanceof Error ? error.stack : String(error)}\n`);
  process.exitCode = 1;
});
