import type { PauseRequest, ResumeRequest } from "#contracts/outbox/relays.ts";
import type { PauseSubject } from "#db/stores/port/pauses.ts";
import { AppError } from "#domain/errors.ts";
import { requireRole, type ServiceContext } from "../context.ts";
import { requireSwitchedOn } from "../operations/require-switched-on.ts";
import { outboxOf } from "../outboxes/outbox-of.ts";
import { whyNoOwnTables } from "../outboxes/own-tables.ts";
import type { OutboxHandle } from "../runtime.ts";

export interface Paused {
  /** Note for the operator, if no message matches the pause now; otherwise null. */
  notice: string | null;
}

/**
 * Pauses an outbox, an event type or an aggregate until the pause expires or someone resumes it; the relay obeys within
 * a second. Throws: forbidden, not_found, wrong_state (not relayed by us), invalid_input.
 */
export async function pauseRelay(input: {
  ctx: ServiceContext;
  outbox: string;
  request: PauseRequest;
}): Promise<Paused> {
  const { ctx, request } = input;
  requireRole(ctx, "operator");
  const handle = await relayedOutbox(ctx, input.outbox);
  const subject = subjectOf(handle, request);
  const duration = request.minutes === null ? "until resumed" : `for ${request.minutes} minutes`;
  await outboxOf(handle).act.pause({
    ...{ subject, actor: ctx.actor, reason: request.reason, minutes: request.minutes },
    detail: subject.scope === "outbox" ? duration : `${nameOf(subject)}, ${duration}`,
  });
  return { notice: await whyNothingWaits(handle, subject) };
}

/** Note if no message matches the subject. The pause is accepted anyway: the first message may still come. */
async function whyNothingWaits(handle: OutboxHandle, subject: Subject): Promise<string | null> {
  if (subject.scope === "outbox") return null;
  const one = subject.scope === "event_type" ? { eventType: subject.subject } : { aggregateKey: subject.subject };
  // The pause is already in force, so a failure of this check is ignored.
  const found = await outboxOf(handle)
    .read.has(one)
    .catch(() => null);
  if (found !== false) return null;
  return `No message of ${nameOf(subject)} is in the outbox now; the pause applies when one arrives. Check the spelling.`;
}

/**
 * Ends a pause; of an aggregate also the relay's hold. Throws: forbidden, not_found, invalid_input, wrong_state (not
 * paused).
 */
export async function resumeRelay(input: {
  ctx: ServiceContext;
  outbox: string;
  request: ResumeRequest;
}): Promise<void> {
  const { ctx, request } = input;
  requireRole(ctx, "operator");
  const handle = await relayedOutbox(ctx, input.outbox);
  const subject = subjectOf(handle, request);
  const detail = subject.scope === "outbox" ? null : nameOf(subject);
  if (await outboxOf(handle).act.resume({ subject, actor: ctx.actor, reason: request.reason, detail })) return;
  const what = subject.scope === "outbox" ? "The relay of this outbox" : `The ${nameOf(subject)}`;
  throw new AppError("wrong_state", `${what} is not paused.`);
}

type Subject = Omit<PauseSubject, "outbox">;

function subjectOf(handle: OutboxHandle, request: Pick<PauseRequest, "eventType" | "aggregateKey">): Subject {
  const { eventType, aggregateKey } = request;
  const { columns } = handle.mapping;
  const outbox = handle.name;
  if (eventType !== undefined) {
    if (!columns.eventType) throw new AppError("invalid_input", `Outbox ${outbox} has no column for event types.`);
    return { scope: "event_type", subject: eventType };
  }
  if (aggregateKey === undefined) return { scope: "outbox", subject: "" };
  const ordered = columns.aggregateId && handle.config.relay?.ordering !== "none";
  if (!ordered) {
    throw new AppError(
      "invalid_input",
      `Outbox ${outbox} is not ordered by aggregate: pause an event type or the whole outbox.`,
    );
  }
  if (columns.aggregateType && !aggregateKey.includes("/")) {
    throw new AppError("invalid_input", "An aggregate key has the form type/id.");
  }
  return { scope: "aggregate", subject: aggregateKey };
}

function nameOf({ scope, subject }: Subject): string {
  return scope === "event_type" ? `event type ${subject}` : `aggregate ${subject}`;
}

async function relayedOutbox(ctx: ServiceContext, outbox: string): Promise<OutboxHandle> {
  const handle = await ctx.runtime.outbox(outbox);
  requireSwitchedOn(ctx.runtime, handle, "pause");
  const reason = whyNoPause(handle);
  if (reason !== null) throw new AppError("wrong_state", reason);
  return handle;
}

/** Sentence: why nothing of the outbox can be paused; null if it can. */
export function whyNoPause(handle: OutboxHandle): string | null {
  const { name, config, storeSide } = handle;
  if (config.mode !== "relay") return `Outbox ${name} is not published by a relay of this console.`;
  return storeSide ? null : whyNoOwnTables(handle);
}
