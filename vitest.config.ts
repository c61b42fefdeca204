import { defineConfig } from "vitest/config";
import LongestFirst from "./tests/longest-first.ts";
import { EVERYTHING } from "./tests/test-depth.ts";

const WITH_POSTGRES = ["**/*.db.test.{ts,tsx}", "**/*.relay.test.ts"];
const WITH_BROKER = ["**/*.broker.test.ts"];
/** Its stacks of processes take the whole machine. */
const INCIDENTS = ["incidents/incidents.relay.test.ts"];
/**
 * Left to runs with TEST_DEPTH=all (ADR 47). Of each group every run has what most depends on: over Postgres faults of
 * a relay, races of acts, crashes and take-over, over MySQL and DynamoDB lists, claims, settles and the log, of each
 * broker its sink.
 */
const IN_DEPTH = [
  "app/api/passwords.db.test.ts",
  "chaos/{chaos,soak/soak}.broker.test.ts",
  "chaos/repair/repair.relay.test.ts",
  "chaos/stores/**",
  "demo/rabbitmq/demo-over-rabbitmq.broker.test.ts",
  "db/embedded/damaged-data.db.test.ts",
  "db/shapes/hand-made-{claims,claims-mysql,variants}.db.test.ts",
  "db/stores/dynamodb/act/earlier-items.db.test.ts",
  "db/stores/dynamodb/conformance/{bulk-records,outbox-corrections}.db.test.ts",
  "db/stores/dynamodb/conformance/outbox-actions*.db.test.ts",
  "db/stores/dynamodb/conformance/relay-{faults,lease,replaced,retries,settle-faults}.db.test.ts",
  "db/stores/dynamodb/conformance/{second-opinion,store-records}.db.test.ts",
  "db/stores/mysql/act/{guarded-acts,retry-dead-letters}.db.test.ts",
  "db/stores/mysql/connection/{migrate,sessions}.db.test.ts",
  "db/stores/mysql/conformance/{bulk-records,outbox-actions-cuts,outbox-actions-races,outbox-corrections}.db.test.ts",
  "db/stores/mysql/conformance/outbox-{reader-lists,retention}.db.test.ts",
  "db/stores/mysql/conformance/relay-{faults,lease,replaced,retries,settle-faults}.db.test.ts",
  "db/stores/mysql/conformance/store-records.db.test.ts",
  "db/stores/mysql/diagnosis-facts/bounded-facts.db.test.ts",
  "db/stores/mysql/read/{hostile-ids,hostile-tables,large-tables,trace-search}.db.test.ts",
  "db/stores/mysql/replication/log-server.db.test.ts",
  "db/stores/postgres/conformance/{outbox-actions-cuts,outbox-corrections}.db.test.ts",
  "relay/sinks/*/*-{outages,outage,security}.broker.test.ts",
  "relay/stream/{mysql-stream,server-shutdown,silent-line,stream-alone,stream-late-renewal,stream-takeover}.relay.test.ts",
  "relay/tests/failures/{failing-front,http-batches,retried-in-bulk,route-breaker}.relay.test.ts",
  "relay/tests/instances/{dynamodb-crash,idle,lifecycles,sharing,sharing-property,wrong-clock}.relay.test.ts",
  "relay/tests/order/{last-row,late-in-crowd,probe-order,replaced-rows}.relay.test.ts",
  "relay/tests/tables/{cliffs,foreign,mapping-guard,mapping-guard-running}.relay.test.ts",
  "scripts/stops-in-time.relay.test.ts",
  "services/connect/change-over/*.relay.test.ts",
  "services/health/own-tables-locked.db.test.ts",
  "services/messages/big-table.db.test.ts",
  "services/operations/actions-by-layout.db.test.ts",
  "services/operations/bulk/{bulk-stores,republish}.db.test.ts",
  "services/reconciliation/reconcile.db.test.ts",
  "services/silent-stores.db.test.ts",
  "tests/brokers/{brokers,orphans}.broker.test.ts",
];
const NEVER = ["**/node_modules/**", ".next/**", ".data/**", "e2e/**", ...(EVERYTHING ? [] : IN_DEPTH)];
/** As long as `waitFor` waits; vitest's own second is over too soon on a loaded machine. */
const WAITS = { poll: { timeout: 60_000 } };

/** By it the client package's own name leads to its sources; its users get what was built. */
const CLIENT_SOURCES = {
  resolve: { conditions: ["outbox-console-source", "node", "development|production"] },
};

/**
 * Packages of hundreds of modules, bundled once for all workers: loading them takes a seventh of the database tests'
 * processor time otherwise. Of Drizzle every part that is imported, as parts outside of the bundle would have classes
 * of their own.
 */
const BUNDLED = {
  optimizer: {
    ssr: {
      enabled: true,
      include: [
        "@aws-sdk/client-dynamodb",
        "drizzle-orm",
        "drizzle-orm/migrator",
        "drizzle-orm/mysql-core",
        "drizzle-orm/mysql2",
        "drizzle-orm/node-postgres",
        "drizzle-orm/pg-core",
        "drizzle-orm/postgres-js",
        "yaml",
        "zod",
      ],
    },
  },
};

/**
 * More than three for each core of the smallest machine that runs them: most of these tests wait more than they
 * compute.
 */
export default defineConfig({
  test: {
    maxWorkers: 7,
    sequence: { sequencer: LongestFirst },
    projects: [
      {
        test: {
          name: "unit",
          setupFiles: ["tests/own-environment.ts", "tests/same-seed.ts"],
          // These files keep no state between tests, so a worker need not load every module again for each.
          isolate: false,
          include: ["**/*.test.{ts,tsx,mjs}"],
          exclude: [...NEVER, ...WITH_POSTGRES, ...WITH_BROKER],
          testTimeout: 120_000,
          hookTimeout: 120_000,
          expect: WAITS,
        },
      },
      {
        ssr: CLIENT_SOURCES,
        test: {
          name: "db",
          deps: BUNDLED,
          isolate: false,
          include: WITH_POSTGRES,
          exclude: [...NEVER, ...INCIDENTS],
          setupFiles: ["tests/own-typeorm.ts", "tests/same-seed.ts"],
          globalSetup: ["tests/postgres-setup.ts", "tests/mysql-setup.ts", "tests/dynamodb-setup.ts"],
          testTimeout: 300_000,
          hookTimeout: 300_000,
          expect: WAITS,
        },
      },
      {
        test: {
          name: "broker",
          isolate: false,
          include: WITH_BROKER,
          exclude: NEVER,
          setupFiles: ["tests/same-seed.ts"],
          globalSetup: ["tests/postgres-setup.ts", "tests/brokers/broker-setup.ts"],
          testTimeout: 300_000,
          hookTimeout: 300_000,
          expect: WAITS,
        },
      },
      {
        test: {
          name: "incidents",
          include: INCIDENTS,
          exclude: NEVER,
          sequence: { groupOrder: 1 },
        },
      },
    ],
  },
});
