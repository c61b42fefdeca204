import { defineConfig } from "vitest/config";

const NEVER = ["**/node_modules/**", ".next/**", ".data/**", "e2e/**"];
const WITH_POSTGRES = ["**/*.db.test.{ts,tsx}", "**/*.relay.test.ts", "**/*.broker.test.ts"];

/** Two workers: the tests of the relay measure time, and the smallest machine that runs them has two cores. */
export default defineConfig({
  test: {
    maxWorkers: 2,
    projects: [
      {
        test: {
          name: "unit",
          include: ["**/*.test.{ts,tsx,mjs}"],
          exclude: [...NEVER, ...WITH_POSTGRES],
          testTimeout: 10_000,
        },
      },
      {
        test: {
          name: "db",
          include: WITH_POSTGRES,
          exclude: NEVER,
          globalSetup: ["tests/postgres-setup.ts"],
          testTimeout: 30_000,
          hookTimeout: 60_000,
        },
      },
    ],
  },
});
