import { defineConfig } from "@playwright/test";
import { IN_DEPTH } from "./e2e/fixtures/in-depth.ts";
import { EVERYTHING } from "./tests/test-depth.ts";

/** Left to runs with TEST_DEPTH=all (ADR 47): what most of these show has tests below the browser. */
const IN_DEPTH_SPECS = [
  "**/{base-path,blocked,debezium,fleet,incident,masking,observe,oidc,operate,payloads}.spec.ts",
  "**/{reconciliation,storage,trace-search}.spec.ts",
];
const LEFT_OUT = EVERYTHING ? [] : IN_DEPTH_SPECS;

const executablePath = process.env.PLAYWRIGHT_CHROMIUM;

/**
 * Four workers: the specs start whole stacks of their own and wait much, and the smallest machine that runs them has
 * two cores.
 */
export default defineConfig({
  testDir: "e2e",
  testMatch: "**/*.spec.ts",
  grepInvert: EVERYTHING ? [] : new RegExp(IN_DEPTH),
  outputDir: "test-results",
  workers: 4,
  fullyParallel: false,
  forbidOnly: Boolean(process.env.CI),
  retries: 0,
  // As patient as `waitFor`: on a machine whose cores are busy with something else a page may take long.
  timeout: 240_000,
  expect: { timeout: 60_000 },
  use: {
    // Without pictures and copies of the page at each step, which take a tenth of the processor time each; a failure
    // has its own.
    trace: { mode: "retain-on-failure", screenshots: false, snapshots: false },
    screenshot: "only-on-failure",
    locale: "en-GB",
    timezoneId: "UTC",
    launchOptions: {
      args: ["--no-sandbox"],
      ...(executablePath === undefined ? {} : { executablePath }),
    },
  },
  projects: [
    {
      name: "desktop",
      testIgnore: ["**/*.phone.spec.ts", ...LEFT_OUT],
      use: { viewport: { width: 1440, height: 900 } },
    },
    {
      name: "phone",
      testMatch: "**/*.phone.spec.ts",
      use: { viewport: { width: 390, height: 844 }, deviceScaleFactor: 3, isMobile: true, hasTouch: true },
    },
  ],
});
