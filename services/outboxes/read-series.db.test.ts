import { beforeAll, expect, onTestFinished, test } from "vitest";
import { OUTBOX_EVENTS } from "#tests/factories/layouts.ts";
import { openTestRuntime } from "#tests/factories/runtime.ts";
import { testDatabase } from "#tests/postgres.ts";
import { readSeries } from "./read-series.ts";

const database = testDatabase("migrated");
const empty = testDatabase("empty");
beforeAll(async () => {
  await database().pool.query(OUTBOX_EVENTS);
});

/** The series of the outbox, in the console whose records are at this address. */
async function seriesWith(databaseUrl: string | undefined) {
  const runtime = openTestRuntime(database().url, databaseUrl === undefined ? {} : { console: { databaseUrl } });
  onTestFinished(() => runtime.close());
  return readSeries({ runtime, outbox: "outbox_events" });
}

test("samples that were read are no problem, also where there are none", async () => {
  expect(await seriesWith(database().url)).toMatchObject({ problem: null, samples: [], watchingSince: null });
});

test("samples that cannot be read are not taken for none", async () => {
  const { pool, url } = database();
  await pool.query("ALTER TABLE outbox_console_app.sample RENAME COLUMN backlog TO gone");
  onTestFinished(async () => {
    await pool.query("ALTER TABLE outbox_console_app.sample RENAME COLUMN gone TO backlog");
  });
  const { problem, samples } = await seriesWith(url);
  expect({ problem, samples }).toEqual({ problem: expect.stringMatching(/run .*migrate/), samples: [] });
});

test("the problem names what is missing", async () => {
  expect((await seriesWith(undefined)).problem).toMatch(/set console\.databaseUrl in outbox\.yaml/);
  expect((await seriesWith(empty().url)).problem).toMatch(/has no table of this version for samples: run .*migrate/);
  const nowhere = new URL(database().url);
  nowhere.port = "1";
  expect((await seriesWith(nowhere.href)).problem).toMatch(/does not answer|refused|cannot be reached/i);
});
