import pg from "pg";
import { TABLE } from "#tests/outbox-table.ts";
import { openPublisher } from "../publishers/open-publisher.ts";
import type { BenchRow } from "../publishers/publisher.ts";
import type { Contender } from "./contender.ts";

const BATCH = 1000;
const IDLE_MS = 2;

type Row = [id: string, type: string, aggregate: string, event: string, payload: string, created: string, seq: string];

/**
 * The machine's limit for this work: one connection reads ahead, another marks, in batches of 1000, without order,
 * lease, claims or retries; an error ends it. It would lose messages of concurrent writers, since each read starts
 * after the last row read. The files in bench/publishers/ say which parts of a row it sends and which work of a sink it
 * omits.
 */
export const limit: Contender = {
  async start({ url, target }) {
    const [reader, marker] = [new pg.Client(url), new pg.Client(url)];
    await Promise.all([reader.connect(), marker.connect()]);
    await reader.query("SET enable_seqscan = off");
    await marker.query("SET enable_seqscan = off");
    const publisher = await openPublisher(target);
    let stopped = false;
    let last = "0";
    const read = async (): Promise<Row[]> => {
      const { rows } = await reader.query<Row>({
        name: "read",
        rowMode: "array",
        text: `SELECT id::text, aggregate_type, aggregate_id, event_type, payload::text, created_at::text, seq::text FROM ${TABLE} o
          WHERE published_at IS NULL AND o.seq > $1 ORDER BY o.seq LIMIT ${BATCH}`,
        values: [last],
      });
      last = rows.at(-1)?.[6] ?? last;
      return rows;
    };
    const mark = (ids: string[]) =>
      marker.query({
        name: "mark",
        text: `UPDATE ${TABLE} SET published_at = clock_timestamp() WHERE id = ANY($1::uuid[])`,
        values: [ids],
      });
    const loop = async () => {
      let marking: Promise<unknown> = Promise.resolve();
      let next = read();
      while (!stopped) {
        const rows = await next;
        next = read();
        if (rows.length === 0) {
          await new Promise((resolve) => setTimeout(resolve, IDLE_MS));
          continue;
        }
        await publisher.all(rows.map(toBenchRow));
        await marking;
        marking = mark(rows.map(([id]) => id));
      }
      await Promise.all([next, marking]);
    };
    const running = loop();
    return {
      async stop() {
        stopped = true;
        await running;
        await Promise.all([reader.end(), marker.end(), publisher.close()]);
      },
    };
  },
};

function toBenchRow([id, type, aggregate, event, payload, created]: Row): BenchRow {
  return { id, type, aggregate, event, payload, created };
}
