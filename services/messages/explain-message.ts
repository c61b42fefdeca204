import type { MessageDetail, Why } from "#contracts/message/messages.ts";
import type { Snapshot } from "#contracts/outbox/snapshot.ts";
import type { Lifecycle } from "#db/stores/port/mapping.ts";
import type { PauseRow } from "#db/stores/port/pauses.ts";
import type { Cause, FailedMeaning } from "#domain/diagnosis/cause.ts";
import { endSentence, formatInstant, shortError } from "#domain/diagnosis/phrases.ts";
import { sinkCause, sinkNextStep } from "#domain/diagnosis/sink-words.ts";
import { formatDuration, formatPlural, sentence } from "#domain/format.ts";
import { ourCommand } from "#domain/text/our-command.ts";
import { failedMeaning } from "../diagnosis/failed-meaning.ts";
import { maskHold } from "../masking/mask-rows.ts";
import { maskerFor } from "../outboxes/outbox-of.ts";
import { examineOutbox } from "../outboxes/take-snapshot.ts";
import type { Runtime } from "../runtime.ts";
import { claimedReasons, outboxReasons, routeReasons, silenceReasons } from "./explain-by-causes.ts";
import { unknownStatus, unrecorded } from "./explain-unknown.ts";
import { getMessage } from "./get-message.ts";

type Reason = Why["reasons"][number];

/** Reasons why a message is not moving, most likely first, each with its evidence. Throws like getMessage. */
export async function explainMessage(input: { runtime: Runtime; outbox: string; id: string }): Promise<Why> {
  const detail = await getMessage(input);
  const { snapshot, causes } = await examineOutbox({ runtime: input.runtime, outbox: input.outbox });
  const pauses = await pausesOf(input.runtime, input.outbox, detail);
  const handle = await input.runtime.outbox(input.outbox);
  const { lifecycle } = handle.mapping;
  const ordered = handle.config.relay?.ordering !== "none";
  const acts = handle.storeSide;
  const known = { pauses, meaning: failedMeaning(handle), lifecycle, causes, ordered, acts };
  const reasons = reasonsOf(detail, snapshot, known);
  return {
    id: input.id,
    asOf: detail.asOf,
    summary: reasons[0]?.text ?? "Nothing holds it back: the next claim takes it.",
    reasons,
  };
}

async function pausesOf(runtime: Runtime, outbox: string, { message }: MessageDetail): Promise<PauseRow[]> {
  const handle = await runtime.outbox(outbox);
  if (!handle.storeSide) return [];
  const { aggregateId, aggregateType, eventType } = message;
  const typed = handle.mapping.columns.aggregateType !== undefined;
  const aggregateKey =
    aggregateId === null || !typed ? aggregateId : aggregateType && `${aggregateType}/${aggregateId}`;
  const asked = handle.store.records.pausesOf({ outbox: handle.name, eventType, aggregateKey });
  const [pauses, mask] = await Promise.all([asked, maskerFor(handle)]);
  return mask ? pauses.map((row) => maskHold(mask, row)) : pauses;
}

function pausedReasons(pauses: readonly PauseRow[]): Reason[] {
  return pauses.map(({ scope, subject, by, reason, until, messageId }) => {
    const what = scope === "event_type" ? `The event type ${subject}` : `The aggregate ${subject}`;
    return {
      rule: "paused",
      text: sentence(messageId === null ? `${what} is paused by ${by}: ${reason}` : `${what} is held: ${reason}`),
      evidence: until ? `Until ${formatInstant(until)}.` : "Until someone resumes it.",
      next:
        messageId === null
          ? "Resume it here or on Relays."
          : `Retry the dead message ${messageId}, which then goes first, or archive it; or resume the aggregate.`,
    };
  });
}

interface Known {
  pauses: readonly PauseRow[];
  meaning: FailedMeaning;
  lifecycle: Lifecycle;
  /** Of the outbox. */
  causes: readonly Cause[];
  /** The relay keeps order per aggregate. */
  ordered: boolean;
  /** Operators may act on its messages; false where the outbox is observed only. */
  acts: boolean;
}

function reasonsOf(detail: MessageDetail, snapshot: Snapshot, known: Known): Reason[] {
  const { pauses, lifecycle, causes, ordered } = known;
  const { message } = detail;
  const settled = settledReason(detail, known);
  if (settled) return [settled];
  const byLog = unrecorded(detail, lifecycle, snapshot.relays?.stream ?? null);
  if (byLog) return [byLog];
  const candidates = [
    ...claimedReasons(detail, causes),
    inFlight(detail),
    scheduled(detail),
    ...pausedReasons(pauses),
    ...(message.claimExpired || snapshot.relays?.alive === 0 ? silenceReasons(causes) : []),
    ...relayReasons(snapshot, known),
    ...routeReasons({ detail, causes }, ordered),
    blocked(detail),
    failing(detail, snapshot, known),
    expiredClaim(detail),
    unknownStatus(detail, lifecycle),
  ];
  const reasons = candidates.filter((reason) => reason !== null);
  if (reasons.length > 0) return reasons;
  if (snapshot.relays) return outboxReasons(causes);
  const age = message.ageSeconds === null ? "" : ` for ${formatDuration(message.ageSeconds)}`;
  return [
    {
      rule: "foreign_relay",
      text: `It has waited${age} for your team's own relay.`,
      evidence: "No relay of Outbox Console is configured for this outbox.",
      next: null,
    },
  ];
}

function settledReason(detail: MessageDetail, { lifecycle, acts }: Known): Reason | null {
  const { message, firstError, correction } = detail;
  switch (message.state) {
    case "published":
      return {
        rule: "published",
        text: "Its row says that it was published.",
        evidence: message.publishedAt
          ? `Published at ${formatInstant(message.publishedAt)}.`
          : "The row has no time of publication.",
        next: null,
      };
    case "archived":
      return {
        rule: "archived",
        text: "It is archived: nothing sends it until it is restored.",
        evidence: `Archived at ${message.archivedAt ? formatInstant(message.archivedAt) : "an unknown time"}.`,
        next: "Restore it.",
      };
    case "expired":
      return {
        rule: "expired",
        text: "It has expired and will never be sent.",
        evidence: hasStatus(message, lifecycle) ? `Its status is "${message.rawStatus}".` : "Its expiry has passed.",
        next: acts ? "Archive it." : null,
      };
    case "dead":
      if (correction.copyId !== null)
        return {
          rule: "dead",
          text: "It is dead: a corrected copy was sent in its place, so it is not retried.",
          evidence: `The copy is ${correction.copyId}.`,
          next: "Archive it.",
        };
      return {
        rule: "dead",
        text: `It is dead${message.attempts ? ` after ${formatPlural(message.attempts, "attempt")}` : ""}; nothing retries it until someone acts.`,
        evidence: sentence(shortError(message.lastError ?? firstError ?? "No error was recorded")),
        next: acts
          ? "Fix the cause, then retry it; or archive it."
          : "Fix the cause. This outbox is only observed, so the team's own tools send it again.",
      };
    default:
      return null;
  }
}

function hasStatus({ rawStatus }: MessageDetail["message"], lifecycle: Lifecycle): boolean {
  return lifecycle.kind === "status" && rawStatus !== null && (lifecycle.expired ?? []).includes(rawStatus);
}

function inFlight({ message, claim }: MessageDetail): Reason | null {
  if (message.state !== "in_flight") return null;
  if (message.claimUndated && !claim) {
    return {
      rule: "in_flight",
      text: "Its row says that another program is publishing it; the age of that claim is not known.",
      evidence: `The status is "${message.rawStatus ?? "null"}", and no column says when its claim expires.`,
      next: "Check whether that program still runs. Name the column with the claim's expiry under columns.lockedUntil in outbox.yaml; expired claims can then be retried here.",
    };
  }
  return {
    rule: "in_flight",
    text: `${claim?.owner ?? "A relay"} is publishing it right now.`,
    evidence: claim ? `Claimed at ${formatInstant(claim.startedAt)}.` : "Its row says so.",
    next: null,
  };
}

function scheduled({ message, asOf }: MessageDetail): Reason | null {
  if (!message.availableAt || message.availableAt <= asOf || message.state !== "pending") return null;
  return {
    rule: "scheduled",
    text: `It is scheduled for ${formatInstant(message.availableAt)}.`,
    evidence: "The table says when it becomes due.",
    next: null,
  };
}

function relayReasons({ relays }: Snapshot, { causes, acts }: Known): Reason[] {
  if (!relays) return [];
  const reasons: Reason[] = [];
  if (relays.paused) {
    reasons.push({
      rule: "paused",
      text: sentence(`The relay is paused by ${relays.paused.by}: ${relays.paused.reason}`),
      evidence: relays.paused.until ? `Until ${formatInstant(relays.paused.until)}.` : "Until someone resumes it.",
      next: "Resume it on Relays.",
    });
  }
  if (relays.alive === 0 && silenceReasons(causes).length === 0) {
    const seen =
      relays.heartbeatAgeSeconds === null
        ? neverHeard(acts)
        : `The last heartbeat was ${formatDuration(relays.heartbeatAgeSeconds)} ago.`;
    const cause = causes.find(({ rule }) => rule === "no_relay_alive");
    reasons.push({
      rule: "no_relay_alive",
      text: cause ? sentence(cause.sentence) : "No relay is alive.",
      evidence: seen,
      next: cause?.nextStep ?? `Start a worker: \`${ourCommand("worker")}\`.`,
    });
  }
  if (relays.breaker) {
    reasons.push({
      rule: "sink_unavailable",
      text: sentence(sinkCause({ ...relays.breaker, message: shortError(relays.breaker.message) })),
      evidence: `Since ${formatInstant(relays.breaker.since)}; the relay probes it and uses up no attempts.`,
      next: causes.find(({ rule }) => rule === "sink_unavailable")?.nextStep ?? sinkNextStep(relays.breaker),
    });
  }
  return reasons;
}

function neverHeard(read: boolean): string {
  return read
    ? "No relay has ever reported."
    : "Heartbeats are in the console's own tables, which cannot be read: whether a relay has reported is not known.";
}

function blocked({ message }: MessageDetail): Reason | null {
  if (!message.blockedBy) return null;
  return {
    rule: "blocked_aggregate",
    text: `It waits behind an earlier message of ${message.aggregateId ?? "its aggregate"} that has failed.`,
    evidence: `The head is ${message.blockedBy}.`,
    next: "Open the head: retry it, or dead-letter it to let the others pass.",
  };
}

function failing({ message }: MessageDetail, snapshot: Snapshot, { meaning, acts }: Known): Reason | null {
  if (message.state !== "failed") return null;
  const tries = message.maxAttempts
    ? `attempt ${(message.attempts ?? 0) + 1} of ${message.maxAttempts}`
    : `attempt ${(message.attempts ?? 0) + 1}`;
  const next = isDue(message.nextAttemptAt, snapshot.asOf)
    ? ` It has been due since ${dayOf(message.nextAttemptAt ?? "", snapshot.asOf)}${message.nextAttemptAt?.slice(11, 19)} UTC (${tries}); no relay has taken it yet.`
    : message.nextAttemptAt
      ? ` Next attempt at ${dayOf(message.nextAttemptAt, snapshot.asOf)}${message.nextAttemptAt.slice(11, 19)} UTC (${tries}).`
      : snapshot.relays
        ? ` Next: ${tries}.`
        : "";
  return {
    rule: "failed",
    text: `Its last attempt failed: ${endSentence(shortError(message.lastError ?? "no error was recorded"))}${next}`,
    evidence: `${formatPlural(message.attempts ?? 1, "attempt")} failed so far.`,
    next: holdsAll(snapshot) ? null : (acts ? AFTER_FAILURE : AFTER_FAILURE_OBSERVED)[meaning],
  };
}

const AFTER_FAILURE: Record<FailedMeaning, string> = {
  retried: "Fix the cause. The relay tries again on its own; Retry makes it try at once.",
  final: "Fix the cause, then retry it: nobody else will.",
  unknown: "Fix the cause. No column says whether the team's relay tries it again; Retry makes it pending.",
};

/** As above, where the console changes nothing. */
const AFTER_FAILURE_OBSERVED: Record<FailedMeaning, string> = {
  retried: "Fix the cause. The relay tries again on its own.",
  final: "Fix the cause. This outbox is only observed, and its relay does not try again: the team's own tools send it.",
  unknown: "Fix the cause. No column says whether the team's relay tries it again.",
};

/** A reason of its own says so, and a retry would wait as well. */
function holdsAll({ relays }: Snapshot): boolean {
  return relays !== null && (relays.paused !== null || relays.breaker !== null || relays.alive === 0);
}

/** Up to this late counts as on time. */
const LATE_MS = 3000;

function isDue(nextAttemptAt: string | null, asOf: string): boolean {
  return nextAttemptAt !== null && Date.parse(asOf) - Date.parse(nextAttemptAt) > LATE_MS;
}

/** The date and a space, or nothing on the day of the figures. */
function dayOf(at: string, asOf: string): string {
  const day = at.slice(0, 10);
  return day === asOf.slice(0, 10) ? "" : `${day} `;
}

function expiredClaim({ message, claim }: MessageDetail): Reason | null {
  if (!message.claimExpired) return null;
  return {
    rule: "expired_claim",
    text: `${claim?.owner ?? "A relay"} claimed it and did not finish; its lease has run out.`,
    evidence: claim ? `Claimed at ${formatInstant(claim.startedAt)}.` : "An orphaned claim holds its id.",
    next: "The next relay to take over sends it; with no relay alive, start one.",
  };
}
