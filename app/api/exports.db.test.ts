import { afterAll, beforeAll, beforeEach, expect, test, vi } from "vitest";
import { auditListSchema, messageListSchema } from "#contracts/message/messages.ts";
import type { Runtime } from "#services/runtime.ts";
import { openTestRuntime } from "#tests/factories/runtime.ts";
import { testDatabase } from "#tests/postgres.ts";
import { ask, refusal } from "./api.fixture.ts";

vi.mock("server-only", () => ({}));

const TABLE = `CREATE TABLE outbox (id uuid PRIMARY KEY DEFAULT gen_random_uuid(), aggregate_type text NOT NULL, aggregate_id text NOT NULL, event_type text NOT NULL,
  payload json NOT NULL, created_at timestamptz, published_at timestamptz);
  CREATE TABLE inbox (id uuid PRIMARY KEY, message_id uuid NOT NULL UNIQUE, payload jsonb, received_at timestamp NOT NULL DEFAULT now(), processed_at timestamp)`;
const HOSTILE = '=cmd|"x"!A1, é 漢😀\r\nsecond line';
const EXACT = '{"ref": 9007199254740993,\n "total": 12.10}';
const ROWS = 450;

const database = testDatabase("migrated");
const holder = globalThis as typeof globalThis & { outboxConsoleRuntime?: Runtime };
const exporting = () => import("./v1/outboxes/[outbox]/messages/export/route.ts");
const listing = () => import("./v1/outboxes/[outbox]/messages/route.ts");
const auditing = () => import("./v1/audit/route.ts");

beforeAll(async () => {
  await database().pool.query(TABLE);
  await database().pool.query(
    `INSERT INTO outbox (aggregate_type, aggregate_id, event_type, payload, created_at)
     SELECT 'order', CASE WHEN n = 7 THEN $1 ELSE 'order-' || n END, 'order.placed', $2::json, '2026-03-01'::timestamptz + (n / 10) * interval '1 s' FROM generate_series(1, ${ROWS}) n`,
    [HOSTILE, EXACT],
  );
  holder.outboxConsoleRuntime = openTestRuntime(database().url, {
    outboxes: { orders: { store: "shop", table: "outbox", mode: "observe" } },
    console: { databaseUrl: database().url },
  });
});
afterAll(() => holder.outboxConsoleRuntime?.close());

const get = async (query: string) => ask((await exporting()).GET, { params: { outbox: "orders" }, path: `/?${query}` });
const lines = async (answer: Response) => (await answer.text()).trimEnd().split("\n");

async function listed(): Promise<string[]> {
  const ids: string[] = [];
  let cursor = "";
  do {
    const path = `/?state=all&limit=200&cursor=${encodeURIComponent(cursor)}`;
    const page = messageListSchema.parse(
      await (await ask((await listing()).GET, { params: { outbox: "orders" }, path })).json(),
    );
    ids.push(...page.messages.map(({ id }) => id));
    cursor = page.nextCursor ?? "";
  } while (cursor !== "");
  return ids;
}

/** Audit entries of exports, oldest first. */
async function audited() {
  const answer = await ask((await auditing()).GET, { path: "/?limit=200" });
  const { entries } = auditListSchema.parse(await answer.json());
  return entries
    .filter(({ action }) => action.endsWith(".export"))
    .map(({ action, outcome, detail }) => `${action} ${outcome} ${detail}`)
    .reverse();
}

let before = 0;
beforeEach(async () => {
  before = (await audited()).length;
});
const newlyAudited = async () => (await audited()).slice(before);

test.each([
  ["the list", async () => (await listing()).GET, { outbox: "orders" }, "q, error"],
  ["the export", async () => (await exporting()).GET, { outbox: "orders" }, "format, columns, payload"],
  ["the audit", async () => (await auditing()).GET, {}, "limit"],
])(
  "%s refuses a parameter that it does not know, which would drop a filter silently",
  async (_, handler, params, known) => {
    const answer = await ask(await handler(), { params, path: "/?stat=dead" });
    expect(answer.status).toBe(400);
    const { message } = await refusal(answer);
    expect(message).toMatch(/^query\.stat: there is no such parameter; these are: /);
    for (const name of known.split(", ")) expect(message).toContain(name);
  },
);

test("NDJSON has every message of the list in its order, digit by digit, and says that it is whole", async () => {
  const found = (await lines(await get("state=all&format=ndjson&columns=id,aggregateId&payload=1"))).slice(0, -1);
  expect(found.map((line) => JSON.parse(line).id)).toEqual(await listed());
  expect(found[0]).toContain('"payload":{"ref": 9007199254740993,  "total": 12.10},"payloadFormat":"json"');
  const whole = await lines(await get("state=pending&format=ndjson"));
  expect(JSON.parse(whole.at(-1) ?? "")).toMatchObject({ export: { complete: true, rows: ROWS, cut: null } });
  expect(await newlyAudited()).toEqual([
    expect.stringMatching(/^messages\.export begun \(state=all, format=ndjson, columns=id,aggregateId, payload=1\)$/),
    expect.stringMatching(/^messages\.export done 450 rows/),
    expect.stringMatching(/^messages\.export begun /),
    expect.stringMatching(/^messages\.export done 450 rows \(state=pending, /),
  ]);
});

test("CSV is a download without formulas, with the columns asked for", async () => {
  const answer = await get("state=all&columns=aggregateId,attempts,createdAt");
  expect(answer.headers.get("content-type")).toMatch(/^text\/csv/);
  expect(answer.headers.get("content-disposition")).toMatch(/^attachment; filename="orders-all-\w+\.csv"$/);
  expect(answer.headers.get("x-content-type-options")).toBe("nosniff");
  const text = await answer.text();
  expect(text.startsWith("aggregateId,attempts,createdAt\r\n")).toBe(true);
  expect(text).toContain(`"'${HOSTILE.replaceAll('"', '""')}",,2026-03-01T00:00:00.000000Z\r\n`);
  expect(text.match(/\r\norder-/g)).toHaveLength(ROWS - 1);
});

test("what cannot be exported is refused before anything is written or recorded", async () => {
  expect(await refusal(await get("columns=password"))).toMatchObject({ status: 400, code: "invalid_input" });
  expect(await refusal(await get("format=xlsx"))).toMatchObject({ status: 400 });
  const other = await ask((await exporting()).GET, { params: { outbox: "none" } });
  expect(await refusal(other)).toMatchObject({ status: 404 });
  expect(await newlyAudited()).toEqual([]);
});

test("a table that goes away cuts the export: its last line says so, and the transfer fails", async () => {
  const answer = await get("state=all&columns=id");
  const reader = answer.body?.getReader();
  await reader?.read();
  await database().pool.query("ALTER TABLE outbox RENAME TO away");
  let text = "";
  const read = async () => {
    for (let next = await reader?.read(); next && !next.done; next = await reader?.read())
      text += new TextDecoder().decode(next.value);
  };
  await expect(read()).rejects.toThrow();
  await database().pool.query("ALTER TABLE away RENAME TO outbox");
  expect(text.trimEnd().split("\r\n")).toHaveLength(201);
  expect(text.trimEnd().split("\r\n").at(-1)).toMatch(/^"# cut after 200 rows: /);
  expect(await newlyAudited()).toEqual([
    expect.stringContaining("begun"),
    expect.stringMatching(/^messages\.export cut 200 rows; /),
  ]);
});

test("a reader that leaves ends the export, and at most four run at a time", async () => {
  const answers = [];
  for (let n = 0; n < 4; n++) answers.push(await get("state=all"));
  expect(await refusal(await get("state=all"))).toMatchObject({ status: 429, code: "too_many_requests" });
  await Promise.all(answers.map((answer) => answer.body?.cancel()));
  await (await get("state=all")).text();
  const cut = (await newlyAudited()).filter((line) => line.includes("export cut 0 rows; The reader left"));
  expect(cut).toHaveLength(4);
});

test("rows of an inbox are exported too", async () => {
  await database().pool.query(
    "INSERT INTO inbox SELECT gen_random_uuid(), gen_random_uuid(), '{}' FROM generate_series(1, 3)",
  );
  const { GET } = await import("./v1/inboxes/[inbox]/messages/export/route.ts");
  const found = await lines(await ask(GET, { params: { inbox: "inbox" }, path: "/?format=ndjson&columns=messageId" }));
  expect(found).toHaveLength(4);
  expect(JSON.parse(found.at(-1) ?? "")).toMatchObject({ export: { complete: true, rows: 3 } });
});
