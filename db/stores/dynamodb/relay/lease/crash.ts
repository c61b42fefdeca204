import type { TransactWriteItem } from "@aws-sdk/client-dynamodb";
import type { Failure } from "#domain/failure.ts";
import type { Item } from "../../items/item.ts";
import { messageOf } from "../read-item.ts";
import type { RelayContext } from "../relay-context.ts";
import { attemptWrites } from "../settle/attempts.ts";
import { failureDoc } from "../settle/failure-doc.ts";

/** Number of relay deaths, each with only this message in flight, after which the message is dead-lettered. */
export const CRASHES_TO_BURY = 3;

const CRASH: Failure = {
  code: "crash",
  kind: "message",
  message: "The relay's process died while this message was being published alone.",
};

interface Crash {
  id: string;
  item: Item;
  /** The relay that died. */
  owner: string;
  startedAt: string;
  crashes: number;
}

/** Records the attempt that a dead relay could not finish. The last one is recorded when the message is dead-lettered. */
export function crashWrites(
  context: RelayContext,
  { id, item, owner, startedAt, crashes }: Crash,
): TransactWriteItem[] {
  if (crashes >= CRASHES_TO_BURY) return [];
  const read = messageOf(context, item);
  const message = { ...read, attempts: Math.max(read.attempts, context.deliveries.get(id)?.attempts ?? 0) };
  const outcome = {
    ...{ kind: "failed" as const, startedAt: new Date(startedAt), durationMs: null },
    ...{ failure: CRASH, nextAttemptInMs: 0 },
  };
  const doc = failureDoc(context, { token: "", message, outcome });
  context.deliveries.set(id, doc);
  return [context.deliveries.putWrite(id, doc), ...attemptWrites(context, { message, outcome, relay: owner })];
}
