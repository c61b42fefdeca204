import { defineConfig } from "vitest/config";
import LongestFirst from "./tests/longest-first.ts";
import { EVERYTHING } from "./tests/test-depth.ts";

const WITH_POSTGRES = ["**/*.db.test.{ts,tsx}", "**/*.relay.test.ts"];
const WITH_BROKER = ["**/*.broker.test.ts"];
/** Its stacks of processes take the whole machine. */
const INCIDENTS = ["incidents/incidents.relay.test.ts"];
/**
 * Long, and each much like another: chaos over Postgres and http, bulk operations of which one of two workers dies, the
 * outages of sinks, the suites of DynamoDB and MySQL that Postgres passes, too, large tables. The last two are of the tests' own servers.
 */
const REPEATS = [
  "chaos/chaos.broker.test.ts",
  "chaos/repair/repair.relay.test.ts",
  "chaos/soak/soak.broker.test.ts",
  "chaos/stores/**",
  "db/stores/dynamodb/conformance/{bulk-records,outbox-actions-cuts,outbox-actions-races,relay-faults,relay-retries}.db.test.ts",
  "db/stores/dynamodb/conformance/{relay-settle-faults,second-opinion}.db.test.ts",
  "db/stores/mysql/conformance/{outbox-actions-cuts,outbox-actions-races,relay-faults,relay-settle-faults}.db.test.ts",
  "db/stores/mysql/read/large-tables.db.test.ts",
  "relay/tests/tables/cliffs.relay.test.ts",
  "tests/brokers/brokers.broker.test.ts",
  "tests/brokers/orphans.broker.test.ts",
];
const NEVER = ["**/node_modules/**", ".next/**", ".data/**", "e2e/**", ...(EVERYTHING ? [] : REPEATS)];
/** As long as `waitFor` waits; vitest's own second is over too soon on a loaded machine. */
const WAITS = { poll: { timeout: 60_000 } };

/** By it the client package's own name leads to its sources; its users get what was built. */
const CLIENT_SOURCES = {
  resolve: { conditions: ["outbox-console-source", "node", "development|production"] },
};

/** More than three for each core of the smallest machine that runs them: most of these tests wait more than they compute. */
export default defineConfig({
  test: {
    maxWorkers: 7,
    sequence: { sequencer: LongestFirst },
    projects: [
      {
        test: {
          name: "unit",
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
          isolate: false,
          include: WITH_POSTGRES,
          exclude: [...NEVER, ...INCIDENTS],
          setupFiles: ["tests/own-typeorm.ts"],
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
