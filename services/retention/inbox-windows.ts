import { MOST_DEAD_GROUPS } from "#domain/diagnosis/facts/messages.ts";
import { formatDuration } from "#domain/format.ts";
import { outboxesOf } from "../config/inbox-schema.ts";
import { outboxOf } from "../outboxes/outbox-of.ts";
import type { InboxHandle, OutboxHandle, Runtime } from "../runtime.ts";

/**
 * Sentences: how long the inboxes of an outbox must keep their rows. An inbox absorbs repeats, and a message can be
 * sent again as long as its row or its dead letter exists.
 */
export async function inboxWindows(input: {
  runtime: Runtime;
  handle: OutboxHandle;
  keepSeconds: number;
}): Promise<string[]> {
  const { runtime, handle, keepSeconds } = input;
  const fed = await inboxesOf(runtime, handle.name);
  if (fed.length === 0) return [];
  const dead = await oldestDead(handle);
  const least = formatDuration(keepSeconds + (dead.seconds ?? 0));
  const age =
    dead.seconds === null || dead.seconds === 0
      ? ""
      : `, of which ${formatDuration(dead.seconds)} is the age of the oldest dead letter`;
  const more = dead.unknown === null ? "" : ` ${dead.unknown}`;
  return fed.map(({ name }) => `Inbox ${name} must keep its rows for at least ${least}${age}.${more}`);
}

/** Those whose configuration names the outbox. */
export async function inboxesOf(runtime: Runtime, outbox: string): Promise<InboxHandle[]> {
  const { inboxes } = await runtime.tables();
  return inboxes.filter(({ config }) => outboxesOf(config).includes(outbox));
}

export interface OldestAge {
  /** 0 if there is none; null if it is not known. */
  seconds: number | null;
  /** Sentence: why it is not known. */
  unknown: string | null;
}

/** A message that waits for less is on its way, and adds nothing. */
const LONG_WAIT_SECONDS = 3600;

/**
 * How long the oldest unsent message of an outbox has waited: a receiver may have processed it although the relay got
 * no answer, and it is sent again when the wait ends.
 */
export async function oldestWaiting(handle: OutboxHandle): Promise<OldestAge> {
  const { waiting } = await outboxOf(handle).read.figures();
  const isByLog = handle.mapping.lifecycle.kind === "log";
  if (!waiting.oldestKnown && !isByLog)
    return {
      seconds: null,
      unknown: `How old the oldest unsent message of outbox ${handle.name} is, is not known: reading it would take too long.`,
    };
  const seconds = Math.max(waiting.oldest?.ageSeconds ?? 0, waiting.blocked.oldestAgeSeconds ?? 0);
  return { seconds: seconds < LONG_WAIT_SECONDS ? 0 : seconds, unknown: null };
}

/**
 * The age of the oldest dead message of an outbox. Its first delivery may have been processed although the relay got no
 * answer, so the age counts from its creation and not from its death.
 */
export async function oldestDead(handle: OutboxHandle): Promise<OldestAge> {
  const { facts } = await outboxOf(handle).watch.facts({
    ...{ overdueSeconds: 3600, claimGraceSeconds: 3600, lockHeldSeconds: 3600, oldTransactionSeconds: 3600 },
    ...{ scheduledFarSeconds: 86_400, clockSkewSeconds: 60, relay: null },
  });
  const unknown = (why: string): OldestAge => ({
    seconds: null,
    unknown: `How old the oldest dead message of outbox ${handle.name} is, is not known: ${why}.`,
  });
  const { dead } = facts;
  if (dead === undefined) return unknown("its dead messages could not be read");
  if (dead === null || dead.length === 0) return { seconds: 0, unknown: null };
  if (dead.some(({ capped }) => capped)) return unknown("there are too many to look at each");
  if (dead.length >= MOST_DEAD_GROUPS) return unknown("they have too many kinds of errors to look at each");
  const ages = dead.flatMap(({ oldestSeconds }) => oldestSeconds ?? []);
  if (ages.length < dead.length) return unknown("nothing says when each of them was created or first tried");
  return { seconds: Math.max(0, ...ages), unknown: null };
}
