import { pino } from "pino";
import { migrateConsoleSide } from "#db/records/migrate.ts";
import { openStore } from "#db/stores/open-store.ts";
import { isAppError, messageOf } from "#domain/errors.ts";
import { resolveReferences } from "#services/config/load-config.ts";
import { isMysql } from "./database/open-shop-database.ts";
import { startDemo } from "./start-demo.ts";

const logger = pino({ name: "demo" });

/** Logs each kind of trouble at most every ten seconds: a database outage fails every writer at once. */
const SAY_AGAIN_MS = 10_000;
const said = new Map<string, number>();

function onTrouble(error: unknown): void {
  const text = messageOf(error);
  const last = said.get(text) ?? Number.NEGATIVE_INFINITY;
  if (performance.now() - last < SAY_AGAIN_MS) return;
  said.set(text, performance.now());
  logger.warn({ err: error }, "The shop failed and will retry");
}

function required(name: string): string {
  const value = process.env[name];
  if (value) return resolveReferences(value, process.env, name);
  console.error(`The environment variable ${name} is not set; \`npm start\` sets it.`);
  process.exit(1);
}

const databaseUrl = required("DEMO_DATABASE_URL");
const gatewayPort = Number(required("DEMO_GATEWAY_PORT"));
const controlPort = Number(required("DEMO_CONTROL_PORT"));

/** Set by the operator; `npm start` then names outbox-rabbitmq.yaml. */
const rabbitmqUrl = process.env.DEMO_RABBITMQ_URL;

/** In a MySQL database, which holds the console's tables and the shop's; as in outbox-mysql.yaml. */
const OWN = { prefix: "outbox_console_" };

async function migrateStore(url: string): Promise<void> {
  const kind = isMysql(url) ? "mysql" : "postgres";
  const store = await openStore({ kind, url, name: "shop", applicationName: "demo", own: OWN });
  try {
    await store.migrate();
  } finally {
    await store.close();
  }
}

/** A failure with a sentence for people is logged without its stack. */
function stop(error: unknown): never {
  if (!isAppError(error)) throw error;
  console.error(error.message);
  process.exit(1);
}

if (isMysql(databaseUrl)) {
  const { createOwnDatabase } = await import("./database/mysql/own-database.ts");
  await createOwnDatabase(databaseUrl).catch(stop);
}
await migrateStore(databaseUrl).catch(stop);
const consoleUrl = process.env.OUTBOX_EMBEDDED_URL;
if (consoleUrl) await migrateConsoleSide(consoleUrl);
const demo = await startDemo({
  databaseUrl,
  gatewayPort,
  controlPort,
  runFile: process.env.OUTBOX_RUN_FILE,
  rabbitmq: rabbitmqUrl && !isMysql(databaseUrl) ? { url: rabbitmqUrl } : undefined,
  onTrouble,
});
console.log(JSON.stringify({ ready: true }));

let stopping = false;
for (const signal of ["SIGINT", "SIGTERM"] as const) {
  process.on(signal, () => {
    if (stopping) process.exit(1);
    stopping = true;
    demo.stop().then(
      () => process.exit(0),
      (error: unknown) => {
        logger.error({ err: error }, "The shop did not stop cleanly");
        process.exit(1);
      },
    );
  });
}
