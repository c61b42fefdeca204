import { userInfo } from "node:os";
import { parseArgs } from "node:util";
import { updateConsoleSide } from "#db/records/migrate.ts";
import { addressOfStore } from "#db/stores/open-store.ts";
import { ConfigError, isAppError, messageOf } from "#domain/errors.ts";
import { ourCommand } from "#domain/text/our-command.ts";
import { cdcNames } from "../config/cdc-names.ts";
import type { Config } from "../config/config-schema.ts";
import { firstOperatedPostgres } from "../config/first-operated-postgres.ts";
import { loadConfig } from "../config/load-config.ts";
import { acceptMapping } from "../mapping/accept-mapping.ts";
import { outboxOf } from "../outboxes/outbox-of.ts";
import { openRuntime } from "../runtime.ts";
import { EMBEDDED_CONSOLE_SIDE, migrateStore } from "./auto-migrate.ts";
import { togetherOf } from "./together-of.ts";

/**
 * `npm run migrate`: creates or updates our schemas in every configured store and on the console side. `--cdc` also
 * creates missing publications and slots, or binlog readers, for relays that read the log. `--accept-mapping <outbox>`
 * only accepts the present mapping of one outbox.
 */
async function main(): Promise<void> {
  const asked = readArguments();
  const config = loadConfig();
  const outbox = asked["accept-mapping"];
  if (outbox !== undefined) return accept(config, outbox);
  const embedded = process.env.OUTBOX_EMBEDDED_URL;
  const failures: unknown[] = [];
  // A database that does not answer must not prevent the migration of the others.
  const attempt = (work: Promise<void>) => work.catch((error: unknown) => void failures.push(error));
  if (embedded) await attempt(migrateConsoleSide(EMBEDDED_CONSOLE_SIDE, embedded));
  for (const name of Object.keys(config.stores)) await attempt(migrateOne(config, name));
  const consoleUrl = config.console.databaseUrl ?? (embedded ? undefined : firstOperated(config));
  if (consoleUrl)
    await attempt(migrateConsoleSide("schema outbox_console_app of the console's own database", consoleUrl));
  if (failures.length > 0) throw togetherOf(failures);
  // Last, so that a server without logical decoding does not prevent the rest.
  if (asked.cdc) await createStreams(config);
}

async function migrateOne(config: Config, name: string): Promise<void> {
  const { kind, url, directUrl } = config.stores[name] as Config["stores"][string];
  await migrateStore(config, name);
  say(`Up to date: the console's own tables in store ${name} at ${addressOfStore(kind, directUrl ?? url)}`);
}

function readArguments(): { cdc?: boolean; "accept-mapping"?: string } {
  try {
    return parseArgs({ options: { cdc: { type: "boolean" }, "accept-mapping": { type: "string" } } }).values;
  } catch (error) {
    throw new ConfigError([messageOf(error)]);
  }
}

async function accept(config: Config, outbox: string): Promise<void> {
  const runtime = openRuntime({ config, applicationName: "outbox-console migrate" });
  try {
    const actor = { name: userName(), role: "admin" } as const;
    say(await acceptMapping({ runtime, outbox, actor, reason: null }));
  } finally {
    await runtime.close();
  }
}

/** Publications, slots and streams affect more than the outbox, so readers of a log are created only with `--cdc`. */
async function createStreams(config: Config): Promise<void> {
  const runtime = openRuntime({ config, applicationName: "outbox-console migrate", once: true });
  try {
    for (const handle of (await runtime.tables()).outboxes) {
      const { name, config: outbox } = handle;
      if (outbox.relay?.source !== "cdc") continue;
      const ran = await outboxOf(handle).createStream(cdcNames(name, outbox.relay.cdc)).catch(withDoctor);
      for (const statement of ran) say(`Ran: ${statement}`);
      if (ran.length === 0) say(`Up to date: the reader of the log of outbox ${name}`);
    }
  } finally {
    await runtime.close();
  }
}

function firstOperated(config: Config): string | undefined {
  const store = firstOperatedPostgres(config);
  return store?.directUrl ?? store?.url;
}

async function migrateConsoleSide(what: string, url: string): Promise<void> {
  await updateConsoleSide(url, what);
  say(`Up to date: ${what} at ${addressOfStore("postgres", url)}`);
}

function withDoctor(error: unknown): never {
  if (!(error instanceof ConfigError)) throw error;
  throw new ConfigError([`${error.problems[0]} ${ourCommand("doctor")} says what is missing.`]);
}

function say(line: string): void {
  process.stdout.write(`${line}\n`);
}

main().catch((error: unknown) => {
  const known = error instanceof ConfigError || isAppError(error);
  process.stderr.write(known ? `${error.message}\n` : `${error instanceof Error ? error.stack : String(error)}\n`);
  process.exitCode = 1;
});

/** The account on this machine; a container may have none. */
function userName(): string {
  try {
    return userInfo().username;
  } catch {
    // The user id has no account entry, e.g. a random one in a container.
    return ourCommand("migrate");
  }
}
