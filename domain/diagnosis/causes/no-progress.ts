import { formatDuration, formatLimit } from "../../format.ts";
import { describeWithheld } from "../../message/withheld.ts";
import { NOTHING_CLAIMED, OUTCOMES_UNWRITTEN, ROWS_LOCKED, STORE_SILENT } from "../../relay/unwritten-outcomes.ts";
import type { CauseDraft, DiagnosisInput, Rule } from "../cause.ts";
import {
  ageOf,
  ageSecondsOf,
  allWaits,
  backWithinSeconds,
  before,
  byAge,
  endSentence,
  evidenceOf,
  formatInstant,
  formatMessages,
  heldUp,
  lastErrorOf,
  pagePath,
  shortError,
} from "../phrases.ts";
import { storeRemedy } from "../store-remedies.ts";
import { aliveRelays, hasPublishedSince, isToResume } from "./no-relay-alive.ts";
import { allAreOrderless } from "./orderless.ts";
import { lockedOut } from "./slow-parts.ts";

export const noProgress: Rule = {
  rule: "no_progress",
  title: "No progress",
  definition:
    "Nothing is published, although a relay is alive, its sink is not known to be down, and due messages wait; or the database refuses claims, the lease, or marks of what the relay has published.",
  threshold: (settings) =>
    `nothing published for ${formatLimit(settings.noProgressSeconds)} while due messages wait; claims or marks refused for ${formatLimit(REFUSED_SECONDS)}`,
  needs: ["relays", "waiting"],
  evaluate: (input) => {
    const refused = refusedDraft(input) ?? notClaimedDraft(input);
    if (refused) return [refused];
    const stall = findStall(input);
    if (stall === null) return [];
    const { settings } = input;
    const { owner, last, dueAt, withheld } = stall;
    return [
      {
        key: "progress",
        word: withheld === null ? "not_delivering" : "in_part",
        severity: withheld === null ? "fail" : byAge(input),
        title: "No progress",
        subject: `process ${owner.pid} on ${owner.host}`,
        what: whatOf(stall),
        clauses: [allWaits(input), withheld],
        diagnosis: diagnosisOf(stall, input),
        nextStep: stall.isLockedOut ? FIND_LOCK : nextStepOf(withheld),
        next: { label: "See the relays", path: pagePath("relays", settings.outbox) },
        ...heldUp(input),
        aggregates: null,
        since: stall.since,
        evidence: evidenceOf({
          Relay: `${owner.host}, process ${owner.pid}, ${owner.state}`,
          "Last published": last ? formatInstant(last) : "never by this relay",
          ...lastErrorOf(owner),
          "With the sink": owner.inFlight > 0 ? formatMessages(owner.inFlight) : null,
          Withheld: withheld,
          "Oldest claim": stall.claimedSeconds > 0 ? formatDuration(stall.claimedSeconds) : null,
          "Oldest due since": formatInstant(dueAt),
        }),
      },
    ];
  },
};

interface Stall {
  owner: ReturnType<typeof aliveRelays>[number];
  /** Latest publish of any live relay; null: none yet. */
  last: string | null;
  dueAt: string;
  /** From when on something should have been published. */
  since: string;
  claimedSeconds: number;
  withheld: string | null;
  /** A lock keeps the marks of what it has published out. */
  isLockedOut: boolean;
}

/** How long the store must have refused marks before it is reported: a deadlock or an ending session is over sooner. */
const REFUSED_SECONDS = 5;
const FIND_LOCK =
  "Find the session that holds the lock (pg_blocking_pids of the relay's sessions, or sys.innodb_lock_waits), and let its owner end its transaction. The relay then marks what it has published, without a restart.";
const SENT_AGAIN =
  "The relay then resumes without a restart. After a restart, messages that were published but not marked are sent again.";

/** Null if something was published recently, nothing is due, or another cause explains the stall. */
function findStall(input: DiagnosisInput): Stall | null {
  const { settings, facts, figures, asOf } = input;
  const { relays, waiting } = facts;
  if (!relays || !waiting || relays.pause || isToResume(input) || allAreOrderless(input)) return null;
  const alive = aliveRelays(input);
  const [owner = alive[0]] = alive.filter((one) => one.state === "owner" || one.state === "holding");
  if (!owner || alive.some((one) => one.breaker !== null)) return null;
  const claimedSeconds = figures.oldestClaimSeconds ?? 0;
  const dueAt = waiting.oldestDueAt ?? (claimedSeconds > 0 ? before(asOf, claimedSeconds) : null);
  if (dueAt === null || (waiting.due === 0 && claimedSeconds < settings.noProgressSeconds)) return null;
  const published = alive.flatMap((one) => (one.lastPublishedAt ? [one.lastPublishedAt] : []));
  const last = published.sort().at(-1) ?? null;
  // A relay that has just started had no time to publish yet. Nor had one that was paused until a moment ago, or whose
  // table could not be used. One that is writing outcomes had published when it began to.
  const outageEnd = input.outage ? before(asOf, input.outage.endedSeconds) : null;
  const earliest = [dueAt, owner.startedAt, last, relays.pausedUntil ?? null, owner.settlingSince, outageEnd].filter(
    (at) => at !== null,
  );
  const since = earliest.reduce(later);
  const resumesWithin = input.outage && since === outageEnd ? backWithinSeconds(input.outage) : 0;
  if (ageSecondsOf(since, asOf) <= settings.noProgressSeconds + resumesWithin) return null;
  const withheld = describeWithheld(relays.partial);
  return { owner, last, dueAt, since, claimedSeconds, withheld, isLockedOut: lockedOut(input)?.id === owner.id };
}

function later(one: string, other: string): string {
  return Date.parse(one) > Date.parse(other) ? one : other;
}

/**
 * A relay that may not mark what it has sent. Reported before messages are late, even while others get through:
 * "nothing is published" would be false.
 */
function refusedDraft(input: DiagnosisInput): CauseDraft | null {
  const { settings, facts } = input;
  const relay = facts.relays?.pause ? undefined : aliveRelays(input).find((one) => refusalOf(one) !== null);
  const refusal = relay && refusalOf(relay);
  if (!relay?.settlingSince || !refusal || nothingIsUnmarked(input)) return null;
  if (isOfOutageOnly(input, relay, refusal)) return null;
  const { settlingSince: since, lastPublishedAt: last } = relay;
  const inPart =
    last !== null && last > since && (facts.waiting?.due === 0 || hasPublishedSince(relay, since, input.asOf));
  return {
    key: "progress",
    word: inPart ? "in_part" : "not_delivering",
    severity: inPart ? byAge(input) : "fail",
    title: "No progress",
    subject: `process ${relay.pid} on ${relay.host}`,
    what: `the relay cannot ${unwritten(refusal, inPart)}: ${shortError(refusal)}`,
    clauses: [allWaits(input)],
    diagnosis: `The relay (process ${relay.pid} on ${relay.host}) ${triedToWrite(refusal, inPart)}: ${endSentence(refusal)} It has tried since ${formatInstant(since)}.`,
    nextStep: `${storeRemedy(refusal)} ${SENT_AGAIN}`,
    next: { label: "See the relays", path: pagePath("relays", settings.outbox) },
    ...heldUp(input),
    aggregates: null,
    since,
    evidence: evidenceOf({
      Relay: `${relay.host}, process ${relay.pid}, ${relay.state}`,
      "Last marked": last ? formatInstant(last) : "never by this relay",
      ...lastErrorOf(relay),
    }),
  };
}

/** All is marked since the relay reported; without marks the rows do not show it. */
function nothingIsUnmarked({ settings, figures }: DiagnosisInput): boolean {
  return !settings.byLog && figures.waitingKnown && !figures.waitingCapped && figures.waiting === 0;
}

/** Records of ours that are written for messages that were not published. */
const OF_FAILURES = /\b(?:delivery|attempt|dead_letter)\b/;

function unwritten(refusal: string, inPart: boolean): string {
  const some = inPart ? "some of " : "";
  return OF_FAILURES.test(refusal)
    ? `record the outcome of ${some}what it has sent`
    : `mark ${some}what it has published`;
}

function triedToWrite(refusal: string, inPart: boolean): string {
  const who = isSilent(refusal) ? "could not" : "the database refuses to";
  const others = inPart ? "; others are marked" : "";
  return OF_FAILURES.test(refusal)
    ? `has sent messages, and ${who} record ${inPart ? "some of their outcomes" : "their outcomes"}, failures included${others}. Until then their aggregates wait`
    : `has sent messages that the sink confirmed, and ${who} mark ${inPart ? "some of them" : "them"}${others}`;
}

/** A claim or the lease is tried every few seconds, so an older error is outdated. */
const CLAIMS_TRIED_SECONDS = 15;

/** A relay that cannot claim or keep its lease, and says why; reported before messages are late. */
function notClaimedDraft(input: DiagnosisInput): CauseDraft | null {
  const { settings, facts, asOf } = input;
  if (!facts.relays || facts.relays.pause) return null;
  const alive = aliveRelays(input);
  const relay = alive.find(({ lastError }) => lastError?.startsWith(NOTHING_CLAIMED));
  const dueAt = facts.waiting?.oldestDueAt ?? null;
  if (!relay?.lastError || !relay.lastErrorAt || dueAt === null) return null;
  const last = alive
    .flatMap((one) => one.lastPublishedAt ?? [])
    .reduce((one, other) => (one > other ? one : other), "");
  const since = [dueAt, relay.startedAt, ...(last === "" ? [] : [last])].reduce(later);
  const isCurrent = relay.lastErrorAt > last && ageSecondsOf(relay.lastErrorAt, asOf) < CLAIMS_TRIED_SECONDS;
  if (!isCurrent || ageSecondsOf(since, asOf) < REFUSED_SECONDS) return null;
  const reason = relay.lastError.slice(NOTHING_CLAIMED.length);
  if (isOfOutageOnly(input, relay, reason)) return null;
  return {
    key: "progress",
    word: "not_delivering",
    severity: "fail",
    title: "No progress",
    subject: `process ${relay.pid} on ${relay.host}`,
    what: `the relay is alive but cannot claim messages: ${shortError(reason)}`,
    clauses: [allWaits(input)],
    diagnosis: `The relay (process ${relay.pid} on ${relay.host}) cannot claim the messages that have been due since ${formatInstant(dueAt)}; ${isSilent(reason) ? "its last error" : "the database answers"}: ${endSentence(reason)}`,
    nextStep: `${storeRemedy(reason)} The relay then resumes without a restart, and nothing is lost.`,
    next: { label: "See the relays", path: pagePath("relays", settings.outbox) },
    ...heldUp(input),
    aggregates: null,
    since,
    evidence: evidenceOf({
      Relay: `${relay.host}, process ${relay.pid}, ${relay.state}`,
      "Last published": last === "" ? "never by this relay" : formatInstant(last),
      ...lastErrorOf(relay),
    }),
  };
}

/**
 * Why the store does not take the relay's marks, as of its last heartbeat; null if it does. `locked` names who locks
 * rows.
 */
function refusalOf({ settlingSince, lastError, lastErrorAt, heartbeatAt }: Stall["owner"]): string | null {
  if (settlingSince === null || ageSecondsOf(settlingSince, heartbeatAt) < REFUSED_SECONDS) return null;
  if (lastError === null || lastErrorAt === null || lastErrorAt < settlingSince) return null;
  const reason = lastError.startsWith(OUTCOMES_UNWRITTEN) ? lastError.slice(OUTCOMES_UNWRITTEN.length) : ROWS_LOCKED;
  return reason === ROWS_LOCKED ? null : reason;
}

/**
 * A heartbeat after an outage may come before the next try of a claim or a mark, and still has the error of the outage.
 */
function isOfOutageOnly({ outage, asOf }: DiagnosisInput, { lastErrorAt }: Stall["owner"], reason: string): boolean {
  if (!outage || !isSilent(reason) || outage.endedSeconds >= backWithinSeconds(outage)) return false;
  return lastErrorAt !== null && Date.parse(lastErrorAt) <= Date.parse(before(asOf, outage.endedSeconds));
}

/** Nobody has refused anything: the connection was lost, or no answer came. */
function isSilent(reason: string): boolean {
  return reason.startsWith(STORE_SILENT);
}

function nextStepOf(withheld: string | null): string {
  const first =
    withheld === null
      ? ""
      : "Relays lists what is paused or held: retry or archive the dead messages, or resume. If more than that waits: ";
  return `${first}Read the relay's last error and its log, and check this page for old transactions: an open transaction can hide rows from the relay. Restarting the worker is safe and repeats at most what is in flight.`;
}

function whatOf({ owner, isLockedOut }: Stall): string {
  if (isLockedOut) return `the relay cannot mark what it has published: ${ROWS_LOCKED}`;
  const held = owner.state === "holding" && owner.lastError !== null ? `: ${shortError(owner.lastError)}` : "";
  const unconfirmed =
    held === "" && owner.inFlight > 0
      ? `: the sink ${owner.sinkName} has not confirmed the ${formatMessages(owner.inFlight)} that it was sent`
      : "";
  return `the relay is alive and publishes nothing${held}${unconfirmed}`;
}

function diagnosisOf(stall: Stall, input: DiagnosisInput): string {
  const { owner, last, dueAt, claimedSeconds, withheld } = stall;
  const publishes = stall.isLockedOut ? "marked" : "published";
  const since = last
    ? `it has ${publishes} nothing for ${ageOf(last, input.asOf)}`
    : `it has ${publishes} nothing so far`;
  const sentences = [
    `The relay (process ${owner.pid} on ${owner.host}) is alive and its sink is not known to be down, but ${since}, while messages have been due since ${formatInstant(dueAt)}.`,
  ];
  if (claimedSeconds >= input.settings.noProgressSeconds) {
    sentences.push(`It has held a batch for ${formatDuration(claimedSeconds)} and cannot finish it.`);
  }
  if (withheld !== null) sentences.push(`In this outbox, ${withheld}; that may be all that waits.`);
  return sentences.join(" ");
}
