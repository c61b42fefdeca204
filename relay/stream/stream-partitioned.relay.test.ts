import { expect, test } from "vitest";
import { waitFor } from "#tests/wait-for.ts";
import { insertEvents, inversions } from "../testing/outbox.fixture.ts";
import { openHarness } from "../testing/relay-harness.fixture.ts";
import { cdcLine, createSlot, dropSlot, waitUntilConnected } from "../testing/stream.fixture.ts";

const DDL = `
CREATE SEQUENCE outbox_seq;
CREATE TABLE outbox_events (
  id uuid NOT NULL DEFAULT gen_random_uuid(), seq bigint NOT NULL DEFAULT nextval('outbox_seq'), aggregate_type text NOT NULL, aggregate_id text NOT NULL,
  event_type text NOT NULL, payload jsonb NOT NULL, headers jsonb, created_at timestamptz NOT NULL DEFAULT now(), published_at timestamptz, PRIMARY KEY (id, seq)
) PARTITION BY RANGE (seq);
CREATE TABLE outbox_1 PARTITION OF outbox_events FOR VALUES FROM (0) TO (10);
CREATE TABLE outbox_2 PARTITION OF outbox_events DEFAULT`;

test.each(["column", "none"])("a partitioned table is replicated through its root, mark: %s", async (mark) => {
  const harness = await openHarness(DDL);
  const slot = String(await harness.scalar("SELECT 's_' || current_database()"));
  await harness.pool.query(
    `CREATE PUBLICATION ${slot} FOR TABLE outbox_events WITH (publish = 'insert', publish_via_partition_root = true)`,
  );
  await createSlot(harness.pool, slot);
  try {
    await harness.start({ relay: ["source: cdc", cdcLine(slot, mark)] });
    await waitUntilConnected(harness);
    for (let from = 0; from < 12; from += 1) await insertEvents(harness.pool, { count: 2, aggregates: 2, from });
    await waitFor(() => harness.receiver.requests.length === 24, { message: "all came" });
    expect(inversions(harness.deliveries())).toEqual([]);
  } finally {
    await harness.stop();
    await dropSlot(harness.pool, slot);
    await harness.close();
  }
});
