import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { startEmbeddedPostgres } from "#db/embedded/start-embedded-postgres.ts";
import { migrateConsoleSide } from "#db/records/migrate.ts";
import { migrateStoreSide } from "#db/stores/postgres/own-schema/migrate.ts";
import { MysqlUnavailable } from "#tests/mysql-servers/server-program.ts";
import { createTemplate, trustTheSuperuser } from "#tests/test-cluster.ts";
import { cloneDatabase, type TestDatabase } from "#tests/test-database.ts";
import { MIGRATED_TEMPLATE } from "#tests/test-templates.ts";
import { Reader } from "./check/reading.ts";
import { type Incident, STACKS, type StackName } from "./incident.ts";
import { type IncidentResult, runIncident } from "./run-incident.ts";
import { Banner } from "./world/banner.ts";
import { Stack, type StackInput } from "./world/stack.ts";
import { startMysqlIncidentStore } from "./world/stores/mysql-incident-store.ts";
import { postgresAccountStore, postgresIncidentStore } from "./world/stores/postgres-incident-store.ts";

/** More at once would slow each other down on a machine with two cores. */
const TOGETHER = 6;
/** How many stacks run concurrently. Two thirds of a stack's time is waiting. */
const STACKS_AT_ONCE = 5;
/** Of the whole catalogue, whose stacks are all full: with five on two slow cores a snapshot took 5 s. */
const FULL_STACKS_AT_ONCE = 3;
const WHOLE_CATALOGUE = 30;
/**
 * The order in which stacks start: those that take longest first. One named twice runs half of its incidents each time.
 */
const ORDER: readonly StackName[] = [
  "fleet",
  "processes",
  "processes",
  "tables",
  "sinks",
  "accounts",
  "mysql",
  "clocks",
  "slots",
];
/** WAL that a slot retains moves a position and uses no disk. */
const POSTGRES = {
  fsync: "off",
  synchronous_commit: "off",
  full_page_writes: "off",
  wal_init_zero: "off",
  max_connections: "300",
};

export interface RunOptions {
  report: (result: IncidentResult) => void;
  /** Also reads the banner on the page. */
  browser: boolean;
}

interface Run {
  report: RunOptions["report"];
  banner: Banner | null;
}

/** Runs incidents; results are in the given order. */
export async function runIncidents(
  incidents: readonly Incident[],
  { report, browser }: RunOptions,
): Promise<IncidentResult[]> {
  const banner = browser ? await Banner.open() : null;
  try {
    return await runStacks(incidents, { report, banner });
  } finally {
    await banner?.close();
  }
}

async function runStacks(incidents: readonly Incident[], run: Run): Promise<IncidentResult[]> {
  const found: IncidentResult[] = [];
  const waiting = sharesOf(incidents);
  const work = async () => {
    for (let next = waiting.shift(); next; next = waiting.shift())
      found.push(...(await runStack(next.stack, next.incidents, run).catch(notRun(next.incidents))));
  };
  const atOnce = incidents.length < WHOLE_CATALOGUE ? STACKS_AT_ONCE : FULL_STACKS_AT_ONCE;
  await Promise.all(Array.from({ length: atOnce }, work));
  return incidents.flatMap(({ name }) => found.find((one) => one.name === name) ?? []);
}

interface Share {
  stack: StackName;
  incidents: readonly Incident[];
}

/** In `ORDER`; none without incidents. */
function sharesOf(incidents: readonly Incident[]): Share[] {
  return ORDER.map((stack, place) => {
    const shares = ORDER.filter((name) => name === stack).length;
    const share = ORDER.slice(0, place).filter((name) => name === stack).length;
    const chosen = incidents.filter((one) => one.stack === stack);
    return { stack, incidents: chosen.filter((_, index) => index % shares === share) };
  }).filter(({ incidents: chosen }) => chosen.length > 0);
}

/** Results for a server that is not on this machine. */
function notRun(incidents: readonly Incident[]): (error: unknown) => IncidentResult[] {
  return (error) => {
    if (!(error instanceof MysqlUnavailable)) throw error;
    const { message } = error;
    return incidents.map(({ name }) => ({
      ...{ name, stages: [], problems: [], readings: 0, slowest: {}, unavailable: message },
    }));
  };
}

/** Each stack has a separate Postgres, since slots and old transactions affect the whole server. */
async function runStack(name: StackName, incidents: readonly Incident[], run: Run): Promise<IncidentResult[]> {
  const dataDir = await mkdtemp(join(tmpdir(), `outbox-console-incidents-${name}-`));
  const server = await startEmbeddedPostgres({ dataDir, settings: POSTGRES });
  try {
    await trustTheSuperuser(server.url);
    await createTemplate(server.url, MIGRATED_TEMPLATE, async (url) => {
      await migrateStoreSide(url);
      await migrateConsoleSide(url);
    });
    const database = await cloneDatabase(server.url, MIGRATED_TEMPLATE);
    const specs = new Map(incidents.flatMap(({ outboxes }) => outboxes).map((spec) => [spec.name, spec]));
    const stack = await Stack.start({
      ...(await storeOf(name, database)),
      specs: [...specs.values()],
    });
    try {
      return await runAll(incidents, stack, STACKS[name].together ? TOGETHER : 1, run);
    } finally {
      await stack.close();
      await database.dropByForce();
    }
  } finally {
    await server.stop();
    await rm(dataDir, { recursive: true, force: true });
  }
}

async function storeOf(name: StackName, database: TestDatabase): Promise<Pick<StackInput, "store" | "consoleUrl">> {
  if (name === "mysql") return { store: await startMysqlIncidentStore(), consoleUrl: database.url };
  return { store: name === "accounts" ? await postgresAccountStore(database) : postgresIncidentStore(database) };
}

async function runAll(
  incidents: readonly Incident[],
  stack: Stack,
  atOnce: number,
  { report, banner }: Run,
): Promise<IncidentResult[]> {
  const reader = new Reader(stack.client);
  const results: IncidentResult[] = [];
  const waiting = [...incidents];
  const work = async () => {
    for (let next = waiting.shift(); next; next = waiting.shift()) {
      const result = await runIncident(next, { stack, reader, banner });
      results.push(result);
      report(result);
    }
  };
  await Promise.all(Array.from({ length: atOnce }, work));
  return results;
}
