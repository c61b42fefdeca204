import { Pool } from "undici";
import { HTTP_BATCH, IN_FLIGHT, type Target } from "../target.ts";
import type { BenchRow, Publisher } from "./publisher.ts";

export function openHttpPublisher(target: Target): Publisher {
  const { origin, pathname } = new URL(target.url);
  const pool = new Pool(origin, { connections: IN_FLIGHT, pipelining: 1 });
  const post = async (id: string, count: number, body: string) => {
    const headers = { "content-type": "application/json", "webhook-id": id, "event-count": String(count) };
    const answer = await pool.request({ path: pathname, method: "POST", headers, body });
    await answer.body.dump();
    if (answer.statusCode >= 300) throw new Error(`HTTP ${answer.statusCode}`);
  };
  const one = (row: BenchRow) => post(row.id, 1, row.payload);
  const batches = (rows: readonly BenchRow[]) => {
    const requests: Promise<void>[] = [];
    for (let start = 0; start < rows.length; start += HTTP_BATCH) {
      const batch = rows.slice(start, start + HTTP_BATCH);
      const body = `[${batch.map(({ id, payload }) => `{"id":"${id}","payload":${payload}}`).join(",")}]`;
      requests.push(post(batch[0]?.id ?? "", batch.length, body));
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
