import type { Notice, RelayStream } from "#db/stores/port/relay/relay-stream.ts";
import type { Lanes } from "../pipeline/state/lanes/lanes.ts";
import type { PipelineContext } from "../pipeline/state/pipeline-context.ts";
import type { Retries } from "../pipeline/state/retries.ts";
import { isSameOrder } from "./acknowledgements.ts";
import type { StreamSource } from "./stream-source.ts";

/**
 * Without a table, waiting messages (paused, or behind a failed one) would hold back the slot. So they are parked in
 * the store side, and the retry path sends them one after the other once nothing holds them back. They are parked in
 * stream order: an aggregate with messages in memory has to wait, because some may be on their way back.
 */
export async function parkFollowers(input: {
  context: PipelineContext;
  stream: RelayStream;
  source: StreamSource;
  lanes: Lanes;
  retries: Retries;
  waits: (notice: Notice) => boolean;
  /** Those that had no place in the store side: they stay in the log, and what follows in their aggregate with them. */
  refused: WeakSet<Notice>;
}): Promise<void> {
  const { context, stream, source, lanes, retries, waits, refused } = input;
  const { lease, settings } = context;
  let count = 0;
  const stopped = new Set<string>();
  const seen = new Set<string>();
  const notices = source.take(({ notice }) => {
    const { id, aggregateKey: key, order } = notice;
    if (count >= settings.batchSize) return "end";
    // Records are stored by id, so a row whose id has a record waits for the earlier one.
    const isNext = !seen.has(id) && (!retries.has(id) || isSameOrder(retries.orderOf(id), order));
    seen.add(id);
    if (refused.has(notice) && key !== null) stopped.add(key);
    if (!isNext || refused.has(notice) || (key !== null && stopped.has(key))) return "leave";
    if (lanes.has(id) || (key !== null && lanes.hasAggregate(key)) || !waits(notice)) return "leave";
    if (source.wasSettled(notice) || retries.has(id)) return "drop";
    count += 1;
    return "take";
  });
  if (notices.length === 0) return;
  const messages = notices.flatMap(({ message }) => (message ? [message] : []));
  const back = (left: readonly Notice[]) => {
    if (left.length > 0) source.putBack(left.map(({ id }) => id));
  };
  const ids = await stream.park({ lease, messages }).catch((error: unknown) => {
    back(notices);
    throw error;
  });
  const stored = new Set(ids);
  const left = notices.filter(({ id }) => !stored.has(id));
  for (const notice of left) refused.add(notice);
  back(left);
  const parked = messages.filter(({ id }) => stored.has(id));
  const dueAtMs = performance.now();
  for (const { id, aggregateKey, eventType, order } of parked)
    retries.add(id, { aggregateKey, eventType, order, dueAtMs });
  source.done(parked);
}
