import type { OutgoingMessage } from "#db/stores/port/relay/outgoing-message.ts";
import { AppError } from "#domain/errors.ts";
import type { ReplayOutcome, ReplaySink } from "../../operations/bulk/replay/replay-sink.ts";
import { outboxOf } from "../../outboxes/outbox-of.ts";
import type { OutboxHandle } from "../../runtime.ts";
import type { ChangeOver } from "./change-over.ts";

const AT_ONCE = 200;
const ANSWER_MS = 30_000;

interface Rest {
  from: ChangeOver;
  handle: OutboxHandle;
  /** In the order of first deliveries. */
  ids: readonly string[];
  mark(ids: readonly string[], detail: string): Promise<number>;
}

/**
 * Publishes messages through the relay's own sink and marks them, some hundred at a time. Throws wrong_state at the
 * first one that is not confirmed; those that were are marked.
 */
export async function publishRest({ from, handle, ids, mark }: Rest): Promise<void> {
  const sinkName = handle.config.relay?.sink;
  if (sinkName === undefined) throw new AppError("wrong_state", `Outbox ${handle.name} names no sink.`);
  const sink = await from.openSink({ runtime: from.runtime, handle, sink: sinkName });
  try {
    for (let first = 0; first < ids.length; first += AT_ONCE)
      await publishSome({ sink, handle, mark, ids: ids.slice(first, first + AT_ONCE) });
  } finally {
    await sink.close();
  }
}

async function publishSome({ sink, handle, mark, ids }: Omit<Rest, "from"> & { sink: ReplaySink }): Promise<void> {
  const found = await outboxOf(handle).read.outgoing(ids, handle.config.relay?.route.fields ?? {});
  const byId = new Map(found.map((message) => [message.id, message]));
  const messages = ids.flatMap((id) => byId.get(id) ?? []);
  const outcomes = await sink.publish(messages, AbortSignal.timeout(ANSWER_MS));
  const sent = messages.filter((_, index) => outcomes[index]?.kind === "published").map(({ id }) => id);
  if (sent.length > 0) await mark(sent, `${sent.length} messages published by the change-over`);
  if (sent.length < messages.length) throw notSent(messages, outcomes);
}

function notSent(messages: readonly OutgoingMessage[], outcomes: readonly ReplayOutcome[]): AppError {
  const failed = messages.findIndex((_, index) => outcomes[index]?.kind === "failed");
  const index = failed >= 0 ? failed : outcomes.findIndex((outcome) => outcome.kind === "aborted");
  const outcome = outcomes[index];
  const why = outcome?.kind === "failed" ? outcome.failure.message : `no answer came within ${ANSWER_MS / 1000} s`;
  return new AppError(
    "wrong_state",
    `Message ${messages[index]?.id} was not published: ${why}. The outbox stays paused, and nothing was handed over. Run this again; or archive that message, or end the pause.`,
  );
}
