import pg from "pg";
import { TABLE } from "#tests/outbox-table.ts";
import { openPublisher } from "../publishers/open-publisher.ts";
import type { BenchRow } from "../publishers/publisher.ts";
import type { Contender } from "./contender.ts";
import { runPipeline } from "./pipeline.ts";

const BATCH = 1000;

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
    const running = runPipeline({ read, toBench: toBenchRow, publisher, mark: (rows) => mark(rows.map(([id]) => id)) });
    return {
      async stop() {
        await running.stop();
        await Promise.all([reader.end(), marker.end(), publisher.close()]);
      },
    };
  },
};

function toBenchRow([id, type, aggregate, event, payload, created]: Row): BenchRow {
  return { id, type, aggregate, event, payload, created };
}
