import type { Runtime } from "../runtime.ts";

/** A probe asks often and must never hang: one ping, or the first reading of the catalog. */
const PING_MS = 2000;

/** One bounded ping over every store's pool. Null when the console can serve pages, else why not, without addresses. */
export async function checkReady(input: { runtime: Runtime }): Promise<string | null> {
  const tables = await withDeadline(input.runtime.tables()).catch(() => null);
  if (!tables) return "The databases take too long to answer.";
  const { outboxes, problems } = tables;
  if (outboxes.length === 0 && problems.length > 0) return "No database answers.";
  const stores = [...new Set(outboxes.map((outbox) => outbox.store))];
  const pings = await Promise.allSettled(stores.map((store) => withDeadline(store.reads.query("SELECT 1"))));
  const answering = pings.filter((ping) => ping.status === "fulfilled").length;
  return stores.length === 0 || answering > 0 ? null : "No database answers.";
}

async function withDeadline<Value>(work: Promise<Value>): Promise<Value> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error("too slow")), PING_MS);
  });
  try {
    return await Promise.race([work, late]);
  } finally {
    clearTimeout(timer);
  }
}
