import { AppError } from "#domain/errors.ts";
import type { OutboxActions, PauseChange } from "../port/outbox-actions.ts";
import type { VerbRequest } from "../port/verb.ts";
import { performEach } from "../shared/act/perform-items.ts";
import { auditOfPause, performWithin } from "../shared/act/perform-within.ts";
import { actionStatements } from "./act/action-statements.ts";
import { inOrder } from "./act/in-order.ts";
import { deadChanges } from "./act/native-changes.ts";
import { performVerb } from "./act/perform-verb.ts";
import { whyRowsStay } from "./act/why-rows-stay.ts";
import { cancelledBy } from "./connection/cancelled.ts";
import { asking } from "./connection/to-store-error.ts";
import { transactAudited } from "./own-table/audit.ts";
import { pauseWrite, resumeWrites } from "./own-table/pauses.ts";
import type { Room } from "./room.ts";

const NO_COPY =
  "The key of an item is the team's own and says its place in the order; only its program knows how the next one is made.";

export function createOutboxActions(room: Room): OutboxActions {
  const { ref } = room;
  const asked = <T>(work: () => Promise<T>) => asking(`outbox ${ref.name}`, work);
  // DynamoDB has no locks that a person could look for.
  const lockHolder = async () => null;
  const once = (verb: VerbRequest) => asked(() => performVerb(room, verb));
  return {
    perform: (verb, waitMs) => performWithin({ once, lockHolder }, verb, waitMs),
    itemsAtOnce: 10,
    performItems: (verbs) => performEach(once, verbs),
    correct: async () => {
      throw new AppError("wrong_state", NO_COPY);
    },
    whyNoCopy: async () => NO_COPY,
    inOrder: (ids) => asked(() => inOrder(room, ids)),
    lockHolder,
    pause: (change) => asked(() => pause(room, change)),
    resume: (change) => asked(() => resume(room, change)),
    whyRowsStay: () => asked(() => whyRowsStay(room)),
    // No library has a DynamoDB table whose rules are known.
    refuses: () => null,
    does: () => null,
    statements: () => actionStatements(ref.mapping),
    marksDead: deadChanges(ref.mapping, null) !== null,
  };
}

async function pause({ own, ref }: Room, change: Parameters<OutboxActions["pause"]>[0]): Promise<void> {
  const { subject, reason, actor, minutes } = change;
  const write = await pauseWrite(own, { outbox: ref.name, ...subject, reason, by: actor.name, minutes });
  await transactAudited(own, [write], auditOfPause(ref, "relay.pause", change));
}

async function resume({ own, ref }: Room, change: PauseChange): Promise<boolean> {
  const writes = await resumeWrites(own, { outbox: ref.name, ...change.subject });
  if (writes.length === 0) return false;
  try {
    await transactAudited(own, writes, auditOfPause(ref, "relay.resume", change));
    return true;
  } catch (error) {
    // Another session has ended the pause or begun a new one.
    if (cancelledBy(error)?.failed.length) return false;
    throw error;
  }
}
