import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { OUTBOX_EVENTS } from "#tests/factories/layouts.ts";
import { testDatabase } from "#tests/postgres.ts";
import { captureCommand } from "./lib/run-command.mjs";

const database = testDatabase("empty");
const folder = mkdtempSync(join(tmpdir(), "check-payloads-"));
afterAll(() => rmSync(folder, { recursive: true }));

beforeAll(async () => {
  const { pool } = database();
  await pool.query(OUTBOX_EVENTS);
  await pool.query(
    `INSERT INTO outbox_events (id, aggregate_id, event_type, payload) VALUES (gen_random_uuid(), '1', 'order.placed', '{}')`,
  );
});

/** A registry in which every payload of the type fits. */
const FITS = `export const events = { "order.placed": { "~standard": { validate: (value) => ({ value }) } } };`;

async function check(source: string, ...more: string[]) {
  const registry = join(folder, "events.mjs");
  writeFileSync(registry, source);
  const args = [resolve("scripts/payloads.ts"), "--registry", registry, ...more];
  return captureCommand(process.execPath, args, {
    env: { DATABASE_URL: database().url, OUTBOX_CONFIG: undefined, OUTBOX_EMBEDDED_URL: undefined },
  });
}

test("ends, although the registry's module keeps a timer", async () => {
  expect(await check(`setInterval(() => undefined, 1000);\n${FITS}`)).toEqual({
    code: 0,
    output: "outbox_events: 1 message checked\n  ok    order.placed: 1 message\n",
  });
});

test.each([
  ["ends the program", "process.exit(0);"],
  ["waits for ever", "await new Promise(() => undefined);"],
])("does not pass if the registry's module %s", async (_, statement) => {
  const { code, output } = await check(`${statement}\n${FITS}`);
  expect(output).toBe(
    "The check did not come to its end, because the registry's module ended the program or waits for ever.\n",
  );
  expect(code).toBe(1);
});

test("says that there is more than was checked, and what is missing of the arguments", async () => {
  await database().pool.query(
    `INSERT INTO outbox_events (id, aggregate_id, event_type, payload) VALUES (gen_random_uuid(), '1', 'order.placed', '{}')`,
  );
  const cut = await check(FITS, "--limit", "1");
  expect(cut.output).toMatch(
    /^outbox_events: 1 message checked, and there are more: a higher --limit checks them too\n/,
  );
  expect(cut.code).toBe(1);
  const absent = await check(FITS, "--registry", join(folder, "none.mjs"));
  expect(absent).toMatchObject({ code: 1, output: expect.stringMatching(/^There is no file .*none\.mjs\./) });
});

test.each([
  ["an import has no extension", 'export { events } from "./of-another-file";'],
  ["its syntax is more than types", "enum Kind { Placed }\nexport const events = { kind: Kind.Placed };"],
])("of TypeScript that Node does not load because %s, it says what to do", async (_, source) => {
  const registry = join(folder, "events.ts");
  writeFileSync(registry, source);
  expect(await check(FITS, "--registry", registry)).toMatchObject({
    code: 1,
    output: expect.stringMatching(/could not be loaded: .*give imports their extension, or name the module that your/),
  });
});
