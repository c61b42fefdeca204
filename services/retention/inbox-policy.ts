import type { InboxRetention } from "#db/stores/port/inbox-retention.ts";
import { AppError, toAppError } from "#domain/errors.ts";
import { formatDuration } from "#domain/format.ts";
import { outboxesOf } from "../config/inbox-schema.ts";
import type { InboxHandle, Runtime } from "../runtime.ts";
import { asAccepted } from "../stores/as-accepted.ts";
import { oldestDead, oldestWaiting } from "./inbox-windows.ts";
import { days } from "./policies-of.ts";

/** The policy of an inbox in words; null if it has none. */
export function inboxPolicyOf({ config }: Pick<InboxHandle, "config">): { text: string; keepSeconds: number } | null {
  if (!config.retention) return null;
  const keepSeconds = config.retention.keep / 1000;
  return { text: `processed ${days(keepSeconds)}`, keepSeconds };
}

export interface InboxFloor {
  /** Least time that a row has to stay, in seconds; null where it is not known. */
  seconds: number | null;
  /** Sentence: how it comes about, or why it is not known. */
  text: string;
}

/**
 * How long an inbox has to keep its rows: as long as one of its outboxes can send a message again. That is the time its
 * published rows stay, and before that the age of its oldest dead or unsent message. Reads every outbox that feeds it;
 * `deadOf` lets a caller with several inboxes read each outbox once.
 */
export async function inboxFloor(runtime: Runtime, inbox: InboxHandle, deadOf = oldestDead): Promise<InboxFloor> {
  const names = outboxesOf(inbox.config);
  if (names.length === 0)
    return {
      seconds: null,
      text: `Which outboxes feed inbox ${inbox.name} is not said: name them under inboxes.${inbox.name}.outbox.`,
    };
  const floors = await Promise.all(names.map((name) => floorBy(runtime, { inbox: inbox.name, name, deadOf })));
  const unknown = floors.find(({ seconds }) => seconds === null);
  const [longest] = floors.toSorted((one, other) => (other.seconds ?? 0) - (one.seconds ?? 0));
  return unknown ?? longest ?? { seconds: null, text: "" };
}

interface Feeding {
  inbox: string;
  name: string;
  deadOf: typeof oldestDead;
}

async function floorBy(runtime: Runtime, { inbox, name, deadOf }: Feeding): Promise<InboxFloor> {
  try {
    const handle = asAccepted(await runtime.outbox(name));
    const { retention } = handle.config;
    const deletes = handle.mapping.lifecycle.kind === "delete";
    if (!retention.published && !deletes)
      return {
        seconds: null,
        text: `Outbox ${name} keeps its published rows permanently, and each can be sent again: set its retention first.`,
      };
    const keepSeconds = deletes ? 0 : (retention.published?.keepMs ?? 0) / 1000;
    const dead = await deadOf(handle);
    if (dead.seconds === null) return { seconds: null, text: dead.unknown ?? "" };
    const waiting = await oldestWaiting(handle);
    if (waiting.seconds === null) return { seconds: null, text: waiting.unknown ?? "" };
    const parts = [
      deletes
        ? `outbox ${name} deletes what it has published`
        : `outbox ${name} keeps published rows for ${days(keepSeconds)}`,
      dead.seconds > 0
        ? `its oldest dead message is ${formatDuration(dead.seconds)} old`
        : "none of its messages is dead",
      ...(waiting.seconds > 0 ? [`its oldest unsent message waits ${formatDuration(waiting.seconds)}`] : []),
    ];
    const seconds = keepSeconds + Math.max(dead.seconds, waiting.seconds);
    return {
      seconds,
      text: `Inbox ${inbox} must keep its rows for at least ${formatDuration(seconds)}: ${parts.join(", and ")}.`,
    };
  } catch (error) {
    return { seconds: null, text: toAppError(error).message };
  }
}

/** Sentence: why rows of the inbox may not go after so long, with the number; null if they may. */
export function whyTooShort({ seconds, text }: InboxFloor, keepSeconds: number): string | null {
  if (seconds === null) return text;
  return keepSeconds >= seconds ? null : `${days(keepSeconds)} is too short. ${text}`;
}

/** The port, where rows of the inbox can be removed and the removal recorded. Throws: wrong_state. */
export async function requireInboxRetention(runtime: Runtime, inbox: InboxHandle): Promise<InboxRetention> {
  const { store, name, mapping } = inbox;
  const retention = store.inboxRetention(name, mapping);
  if (!retention) {
    const { retention: can } = store.capabilities;
    throw new AppError("wrong_state", can === true ? "Nothing is removed here." : can.no);
  }
  const { outboxes } = await runtime.tables();
  if (!outboxes.some((outbox) => outbox.storeSide && outbox.store === store))
    throw new AppError(
      "wrong_state",
      `The console keeps no records in the database of inbox ${name}, so a removal could not be recorded: none of its outboxes is operated.`,
    );
  return retention;
}
