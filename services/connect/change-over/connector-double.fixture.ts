import { setImmediate as nextTurn } from "node:timers/promises";
import type pg from "pg";
import { parseLsn } from "#db/stores/postgres/replication/lsn.ts";
import { parsePgoutput, readTuple } from "#db/stores/postgres/replication/pgoutput.ts";
import type { ConnectStandIn } from "#tests/connect-stand-in.ts";

/** Payloads of the published rows. */
export interface ConnectorDouble {
  readonly published: string[];
  stop(): Promise<void>;
}

interface Input {
  pool: pg.Pool;
  connect: ConnectStandIn;
  slot: string;
  publication: string;
}

/**
 * Reads a slot as Debezium's connector does, publishes the payloads of inserted rows of outbox_events, and stores its
 * offset after each; stops between any two rows once Connect says STOPPED. Confirms as rarely as Connect does: never.
 */
export function startConnectorDouble({ pool, connect, slot, publication }: Input): ConnectorDouble {
  const published: string[] = [];
  let [stopped, done, commit] = [false, 0n, null as bigint | null];
  const running = () => !stopped && connect.connector?.state === "RUNNING";
  const store = (lsn: bigint, xid: number) => {
    const offset = { lsn: Number(lsn), txId: xid, ...(commit === null ? {} : { lsn_commit: Number(commit) }) };
    connect.connector?.offsets.splice(0, 1, { partition: { server: "orders" }, offset });
  };
  const read = async () => {
    const { rows } = await pool.query<{ lsn: string; data: Buffer }>(
      "SELECT lsn::text AS lsn, data FROM pg_logical_slot_peek_binary_changes($1, NULL, NULL, 'proto_version', '1', 'publication_names', $2)",
      [slot, publication],
    );
    let [xid, known, columns] = [0, false, [] as string[]];
    for (const { lsn, data } of rows) {
      const message = parsePgoutput(data);
      if (message.kind === "begin") [xid, known] = [message.xid, message.commitLsn < done];
      if (message.kind === "relation") columns = message.name === "outbox_events" ? message.columns : [];
      if (message.kind === "commit" && message.endLsn > done) [done, commit] = [message.endLsn, message.endLsn];
      if (message.kind !== "insert" || columns.length === 0 || known) continue;
      await nextTurn();
      if (!running()) return;
      published.push(
        readTuple(
          message.tuple,
          columns.map(() => true),
        )[columns.indexOf("payload")] ?? "",
      );
      store(parseLsn(lsn), xid);
    }
  };
  const loop = (async () => {
    while (running()) await read();
  })();
  return {
    published,
    async stop() {
      stopped = true;
      await loop;
    },
  };
}
