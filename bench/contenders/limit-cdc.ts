import pg from "pg";
import { parsePgoutput, readTuple } from "#db/stores/postgres/replication/pgoutput.ts";
import { ReplicationConnection } from "#db/stores/postgres/replication/replication-connection.ts";
import { cdcNames } from "#services/config/cdc-names.ts";
import { OUTBOX, TABLE } from "#tests/outbox-table.ts";
import { openPublisher } from "../publishers/open-publisher.ts";
import type { BenchRow } from "../publishers/publisher.ts";
import type { Contender } from "./contender.ts";
import { makeStream } from "./make-stream.ts";

/** Time for gathering marks, the same as the relay's for gathering outcomes. */
const MARK_MS = 25;

/**
 * The minimum of a reader of the log: sends each row as soon as its insert is decoded, and marks confirmed rows in
 * batches. No claim, lease or retries, and no order within an aggregate; an error ends it. It confirms the position of
 * marked rows to the server, so a crash would lose rows of an earlier position that are still with the receiver.
 */
export const limitCdc: Contender = {
  async start({ url, target }) {
    await makeStream(url);
    const marker = new pg.Client(url);
    await marker.connect();
    await marker.query("SET enable_seqscan = off");
    const publisher = await openPublisher(target);
    let sent: string[] = [];
    let timer: NodeJS.Timeout | undefined;
    let marking: Promise<unknown> = Promise.resolve();
    let open = 0;
    let end = 0n;
    const mark = () => {
      timer = undefined;
      const [ids, upTo] = [sent, end];
      sent = [];
      marking = marking
        .then(() =>
          marker.query({
            name: "mark",
            text: `UPDATE ${TABLE} SET published_at = clock_timestamp() WHERE id = ANY($1::uuid[])`,
            values: [ids],
          }),
        )
        .then(() => connection.confirm(upTo));
    };
    const send = async (row: BenchRow) => {
      open += 1;
      await publisher.one(row);
      open -= 1;
      sent.push(row.id);
      timer ??= setTimeout(mark, MARK_MS);
    };
    const decoder = createDecoder();
    const connection = new ReplicationConnection({
      url,
      events: {
        data: (data) => {
          const decoded = decoder(data);
          if (typeof decoded === "bigint") end = decoded;
          else if (decoded) void send(decoded);
        },
        keepalive: () => undefined,
        flushed: () => undefined,
        isAtWork: async () => false,
      },
    });
    const { reader: slot, feed: publication } = cdcNames(OUTBOX, { mark: "column" });
    await connection.start({ slot, publication });
    return {
      async stop() {
        await connection.close();
        while (open > 0 || timer) await new Promise((resolve) => setTimeout(resolve, MARK_MS));
        await marking;
        await Promise.all([marker.end(), publisher.close()]);
      },
    };
  },
};

const COLUMNS = ["id", "event_type", "aggregate_type", "aggregate_id", "payload", "created_at"] as const;

/** Returns the row of an insert, the end of a commit, and nothing for other messages. */
function createDecoder(): (data: Buffer) => BenchRow | bigint | null {
  let [places, wanted] = [[] as number[], [] as boolean[]];
  return (data) => {
    const message = parsePgoutput(data);
    if (message.kind === "commit") return message.endLsn;
    if (message.kind === "relation") {
      places = COLUMNS.map((name) => message.columns.indexOf(name));
      wanted = message.columns.map((_, index) => places.includes(index));
    }
    if (message.kind !== "insert") return null;
    const values = readTuple(message.tuple, wanted);
    const [id = "", event = "", type = "", aggregate = "", payload = "", created = ""] = places.map(
      (place) => values[place] ?? "",
    );
    return { id, event, type, aggregate, payload, created };
  };
}
