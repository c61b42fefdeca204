import pg from "pg";
import { cdcNames } from "#services/config/cdc-names.ts";
import { OUTBOX, TABLE } from "#tests/outbox-table.ts";

/** Recreates publication and slot, at the log's current position. */
export async function makeStream(url: string): Promise<void> {
  const client = new pg.Client(url);
  await client.connect();
  const { reader: slot, feed: publication } = cdcNames(OUTBOX, { mark: "column" });
  await client.query(`DROP PUBLICATION IF EXISTS ${publication}`);
  await client.query(`CREATE PUBLICATION ${publication} FOR TABLE ${TABLE} WITH (publish = 'insert')`);
  await client.query("SELECT pg_drop_replication_slot(slot_name) FROM pg_replication_slots WHERE slot_name = $1", [
    slot,
  ]);
  await client.query("SELECT pg_create_logical_replication_slot($1, 'pgoutput')", [slot]);
  await client.end();
}
