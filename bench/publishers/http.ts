import { Pool } from "undici";
import { HTTP_BATCH, IN_FLIGHT, type Target } from "../target.ts";
import type { BenchRow, Publisher } from "./publisher.ts";

/**
 * Sends requests with the same contents as the relay's: the payload's bytes, and the row's id, types, aggregate and
 * time as headers or as envelopes of a batch, by undici's request() over the same number of connections. Left out:
 * templates, the row's own headers, escaping and encoding (the rows are trusted), signature, redirects, abort, size
 * limits, handling of any status but 2xx, and the order within an aggregate.
 */
export function openHttpPublisher(target: Target): Publisher {
  const { origin, pathname } = new URL(target.url);
  const pool = new Pool(origin, { connections: IN_FLIGHT, pipelining: 1 });
  const post = async (body: string, headers: Record<string, string>) => {
    const answer = await pool.request({ path: pathname, method: "POST", headers, body });
    await answer.body.dump();
    if (answer.statusCode >= 300) throw new Error(`HTTP ${answer.statusCode}`);
  };
  const one = ({ id, type, aggregate, event, payload, created }: BenchRow) =>
    post(payload, {
      "content-type": "application/json",
      "webhook-id": id,
      "event-type": event,
      "aggregate-type": type,
      "aggregate-id": aggregate,
      "event-created-at": created,
    });
  const batches = (rows: readonly BenchRow[]) => {
    const requests: Promise<void>[] = [];
    for (let start = 0; start < rows.length; start += HTTP_BATCH) {
      const batch = rows.slice(start, start + HTTP_BATCH);
      const body = `[${batch.map(envelope).join(",")}]`;
      requests.push(post(body, { "content-type": "application/json", "webhook-id": batch[0]?.id ?? "" }));
    }
    return Promise.all(requests);
  };
  const single = async (rows: readonly BenchRow[]) => {
    let index = 0;
    const worker = async () => {
      for (let row = rows[index++]; row; row = rows[index++]) await one(row);
    };
    await Promise.all(Array.from({ length: IN_FLIGHT }, worker));
  };
  return {
    async all(rows) {
      await (target.kind === "http-batch" ? batches(rows) : single(rows));
    },
    one,
    close: () => pool.close(),
  };
}

function envelope({ id, type, aggregate, event, payload, created }: BenchRow): string {
  return `{"id":"${id}","type":"${event}","aggregate":{"type":"${type}","id":"${aggregate}"},"createdAt":"${created}","payload":${payload}}`;
}
