import type { OutgoingMessage } from "#db/stores/port/relay/outgoing-message.ts";
import { messageOf } from "#domain/errors.ts";
import { ABORTED, type PublishOutcome } from "./sink.ts";

/**
 * Sends the messages of one call with one in flight per aggregate: the next goes out once the previous one is
 * confirmed. After a failure the rest of its aggregate ends as aborted, unsent. This keeps the order at a broker that
 * confirms messages individually, where a refusal says nothing about messages sent after it.
 */
export function publishInLanes(input: {
  messages: readonly OutgoingMessage[];
  /** Each signal ends the call at once; messages without an outcome become aborted. */
  signals: readonly AbortSignal[];
  /** `isOver`: the call has ended, so nothing may be sent any more. A rejection leaves open whether it was sent. */
  send: (message: OutgoingMessage, isOver: () => boolean) => Promise<PublishOutcome>;
}): Promise<PublishOutcome[]> {
  const { messages, signals, send } = input;
  const { heads, next } = linkLanes(messages);
  const outcomes = new Array<PublishOutcome | undefined>(messages.length).fill(undefined);
  return new Promise((resolve) => {
    let lanes = heads.length;
    let over = false;
    const end = () => {
      over = true;
      for (const signal of signals) signal.removeEventListener("abort", end);
      resolve(outcomes.map((outcome) => outcome ?? ABORTED));
    };
    const isOver = () => over;
    const sendAt = (index: number) => {
      const sending = send(messages[index] as OutgoingMessage, isOver).catch(toOutcome);
      void sending.then((outcome) => {
        if (over) return;
        outcomes[index] = outcome;
        const following = next[index];
        if (outcome.kind === "published" && following !== undefined) {
          sendAt(following);
          return;
        }
        lanes -= 1;
        if (lanes === 0) end();
      });
    };
    if (lanes === 0 || signals.some(({ aborted }) => aborted)) {
      end();
      return;
    }
    for (const signal of signals) signal.addEventListener("abort", end);
    for (const index of heads) sendAt(index);
  });
}

function toOutcome(error: unknown): PublishOutcome {
  return { kind: "failed", failure: { code: "unknown", kind: "ambiguous", message: messageOf(error) } };
}

/**
 * The first message of each aggregate, and for each message the next of its aggregate. Messages without an aggregate
 * are independent.
 */
function linkLanes(messages: readonly OutgoingMessage[]): { heads: number[]; next: (number | undefined)[] } {
  const heads: number[] = [];
  const next = new Array<number | undefined>(messages.length).fill(undefined);
  const last = new Map<string, number>();
  for (const [index, { aggregateKey }] of messages.entries()) {
    const before = aggregateKey === null ? undefined : last.get(aggregateKey);
    if (before === undefined) heads.push(index);
    else next[before] = index;
    if (aggregateKey !== null) last.set(aggregateKey, index);
  }
  return { heads, next };
}
