import { beforeAll, expect, onTestFinished, test } from "vitest";
import { blockedQuerySchema } from "#contracts/outbox/blocked.ts";
import { OUTBOX_EVENTS } from "#tests/factories/layouts.ts";
import { openOperatedRuntime } from "#tests/factories/runtime.ts";
import { testDatabase } from "#tests/postgres.ts";
import { checkHealth } from "../health/check-health.ts";
import { explainMessage } from "../messages/explain-message.ts";
import { listBlocked } from "../messages/list-blocked.ts";
import { listRelays } from "../relays/list-relays.ts";
import { getOutbox } from "./get-outbox.ts";
import { listOutboxes } from "./list-outboxes.ts";

const database = testDatabase("migrated");
const OLDER = /own tables in this database are older than this program/;

let id: string;

beforeAll(async () => {
  const { pool } = database();
  await pool.query(OUTBOX_EVENTS);
  const { rows } = await pool.query(
    "INSERT INTO outbox_events (aggregate_id, event_type, payload) VALUES ('o-1', 'order.placed', '{}') RETURNING id",
  );
  id = String(rows[0]?.id);
  await pool.query(
    "DELETE FROM outbox_console.migration WHERE created_at = (SELECT max(created_at) FROM outbox_console.migration)",
  );
});

test("before the migration of an upgrade nothing denies that a worker of the earlier version publishes", async () => {
  const runtime = openOperatedRuntime(database().url, "outbox_events", { mode: "relay", relay: { sink: "stdout" } });
  onTestFinished(() => runtime.close());
  const [orders] = (await listOutboxes({ runtime })).outboxes;
  expect(orders?.verdict).toMatchObject({ word: "unknown", status: "warn", cause: expect.stringMatching(OLDER) });
  const health = await checkHealth({ runtime, outbox: "orders" });
  expect(health).toMatchObject({ status: "warn", output: expect.stringMatching(OLDER) });
  expect(JSON.stringify(orders?.verdict)).not.toContain("Known instances");
  const why = await explainMessage({ runtime, outbox: "orders", id });
  expect(why.summary).toMatch(OLDER);
  expect(why.reasons[0]?.evidence).toMatch(/whether a relay has reported is not known/);
  const { problems } = await listRelays({ runtime });
  expect(problems).toEqual([{ outbox: "orders", message: expect.stringMatching(OLDER) }]);
  const { capabilities } = await getOutbox({ runtime, outbox: "orders" });
  expect(JSON.stringify(capabilities)).toMatch(OLDER);
  await expect(listBlocked({ runtime, outbox: "orders", query: blockedQuerySchema.parse({}) })).resolves.toMatchObject({
    unknown: expect.stringMatching(OLDER),
  });
});
