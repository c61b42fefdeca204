import { defineConfig } from "vitest/config";

const NEVER = ["**/node_modules/**", ".next/**", ".data/**", "e2e/**"];
const WITH_POSTGRES = ["**/*.db.test.{ts,tsx}", "**/*.relay.test.ts"];
const WITH_BROKER = ["**/*.broker.test.ts"];
/** Its stacks of processes take the whole machine. */
const INCIDENTS = ["incidents/incidents.relay.test.ts"];
/** As long as `waitFor` waits; vitest's own second is over too soon on a loaded machine. */
const WAITS = { poll: { timeout: 20_000 } };

/** Two workers: the tests of the relay measure time, and the smallest machine that runs them has two cores. */
export default defineConfig({
  test: {
    maxWorkers: 2,
    projects: [
      {
        test: {
          name: "unit",
          include: ["**/*.test.{ts,tsx,mjs}"],
          exclude: [...NEVER, ...WITH_POSTGRES, ...WITH_BROKER],
          testTimeout: 30_000,
          expect: WAITS,
        },
      },
      {
        test: {
          name: "db",
          include: WITH_POSTGRES,
          exclude: [...NEVER, ...INCIDENTS],
          globalSetup: ["tests/postgres-setup.ts"],
          testTimeout: 120_000,
          hookTimeout: 120_000,
          expect: WAITS,
        },
      },
      {
        test: {
          name: "broker",
          include: WITH_BROKER,
          exclude: NEVER,
          globalSetup: ["tests/postgres-setup.ts", "tests/brokers/broker-setup.ts"],
          testTimeout: 120_000,
          hookTimeout: 120_000,
          expect: WAITS,
        },
      },
      {
        test: {
          name: "incidents",
          include: INCIDENTS,
          exclude: NEVER,
          // After all others, some of which measure time.
          sequence: { groupOrder: 1 },
        },
      },
    ],
  },
});
