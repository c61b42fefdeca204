import { setTimeout as delay } from "node:timers/promises";
import {
  IteratorExpiredError,
  type RecordPage,
  type Shard,
  type StreamCalls,
  type StreamRecord,
  TrimmedError,
} from "./stream-calls.ts";

/** How far a shard was read. */
export interface ShardPosition {
  /** Null: nothing of it. */
  sequence: string | null;
  /** It has ended, and all of it was read. */
  done: boolean;
}

interface ShardEvents {
  /** Records of one shard in order. Those of a child come once its parent is at its end. */
  records(shard: string, records: readonly StreamRecord[]): void;
  /** All records of the shard were delivered. */
  ended(shard: string): void;
  /** Records after the position were removed unread; the shard is read from the oldest record that is kept. */
  lost(shard: string): void;
  /** Resolves when there is room for more records. */
  room(): Promise<void>;
}

/** Wait after a page without records. */
const FIRST_WAIT_MS = 100;
const LONGEST_WAIT_MS = 1_000;
/** Shards split without notice, so their children are only found by listing. */
const LIST_EVERY_MS = 30_000;

interface Following {
  calls: StreamCalls;
  arn: string;
  positions: ReadonlyMap<string, ShardPosition>;
  events: ShardEvents;
  signal: AbortSignal;
}

/**
 * Reads all shards of a stream, several at a time, and each child only after its parent: an item's later changes may be
 * in the child. Ends when aborted; throws what a call throws. Once it has ended, no shard is read any more.
 */
export async function followShards(following: Following): Promise<void> {
  const { calls, arn, positions, events, signal } = following;
  const failing = new AbortController();
  const reading = { ...following, signal: AbortSignal.any([signal, failing.signal]) };
  const done = new Set([...positions].filter(([, position]) => position.done).map(([id]) => id));
  const running = new Map<string, Promise<void>>();
  let failure: { error: unknown } | null = null;
  const waker = new Waker();
  signal.addEventListener("abort", () => waker.wake(), { once: true });
  const begin = (shard: Shard) => {
    const ended = readShard(reading, shard.id)
      .then((ended) => {
        if (!ended) return;
        done.add(shard.id);
        events.ended(shard.id);
      })
      .catch((error: unknown) => {
        failure ??= { error };
      })
      .finally(() => {
        running.delete(shard.id);
        waker.wake();
      });
    running.set(shard.id, ended);
  };
  try {
    for (let isFirst = true; !signal.aborted && failure === null; isFirst = false) {
      const shards = await calls.shards(arn);
      if (isFirst) tellVanished(following, shards);
      for (const shard of readable(shards, done)) if (!running.has(shard.id)) begin(shard);
      await waker.wait(LIST_EVERY_MS);
    }
  } finally {
    failing.abort();
    await Promise.all(running.values());
  }
  const failed = failure as { error: unknown } | null;
  if (failed && !signal.aborted) throw failed.error;
}

/** A wait that ends early; a call before it ends it at once. */
class Waker {
  #called = false;
  #end: () => void = () => undefined;

  wake(): void {
    this.#called = true;
    this.#end();
  }

  async wait(ms: number): Promise<void> {
    if (!this.#called) {
      await new Promise<void>((resolve) => {
        const timer = setTimeout(resolve, ms);
        this.#end = () => {
          clearTimeout(timer);
          resolve();
        };
      });
    }
    this.#called = false;
  }
}

/** Reports shards that were not read to their end and are not kept any more. */
function tellVanished({ positions, events }: Following, shards: readonly Shard[]): void {
  const listed = new Set(shards.map(({ id }) => id));
  for (const [id, { done }] of positions) if (!done && !listed.has(id)) events.lost(id);
}

/** Shards that are not read to their end, and whose parent is, or is not kept any more. */
function readable(shards: readonly Shard[], done: ReadonlySet<string>): Shard[] {
  const listed = new Set(shards.map(({ id }) => id));
  const isOver = (parent: string | null) => parent === null || done.has(parent) || !listed.has(parent);
  return shards.filter(({ id, parent }) => !done.has(id) && isOver(parent));
}

/** Another reader's failure ends the wait, too. */
async function roomOrEnd(events: Following["events"], signal: AbortSignal): Promise<void> {
  const over = Promise.withResolvers<void>();
  const end = () => over.resolve();
  signal.addEventListener("abort", end);
  await Promise.race([events.room(), over.promise]);
  signal.removeEventListener("abort", end);
}

/** True at the end of the shard; false when aborted before. */
async function readShard({ calls, arn, positions, events, signal }: Following, shard: string): Promise<boolean> {
  let after = positions.get(shard)?.sequence ?? null;
  let iterator = await start();
  let waitMs = FIRST_WAIT_MS;
  while (!signal.aborted) {
    await roomOrEnd(events, signal);
    if (signal.aborted) return false;
    const page: RecordPage | null = await calls.records(iterator).catch((error: unknown) => {
      if (error instanceof IteratorExpiredError || error instanceof TrimmedError) return null;
      throw error;
    });
    if (signal.aborted) return false;
    if (page === null) {
      iterator = await start();
      continue;
    }
    if (page.records.length > 0) {
      events.records(shard, page.records);
      after = page.records.at(-1)?.sequence ?? after;
    }
    if (page.next === null) return true;
    iterator = page.next;
    if (page.records.length > 0) waitMs = FIRST_WAIT_MS;
    else {
      await delay(waitMs, undefined, { signal }).catch(() => undefined);
      waitMs = Math.min(LONGEST_WAIT_MS, waitMs * 1.2);
    }
  }
  return false;

  async function start(): Promise<string> {
    try {
      return await calls.iterator(arn, shard, after);
    } catch (error) {
      if (!(error instanceof TrimmedError) || after === null) throw error;
      events.lost(shard);
      after = null;
      return calls.iterator(arn, shard, null);
    }
  }
}
