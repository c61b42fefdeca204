import { formatDuration } from "../../format.ts";
import { OUTCOMES_UNWRITTEN } from "../../unwritten-outcomes.ts";
import { describeWithheld } from "../../withheld.ts";
import type { DiagnosisInput, Rule } from "../cause.ts";
import {
  ageOf,
  ageSecondsOf,
  allWaits,
  before,
  byAge,
  endSentence,
  evidenceOf,
  formatInstant,
  formatMessages,
  pagePath,
  shortError,
} from "../phrases.ts";
import { aliveRelays } from "./no-relay-alive.ts";

export const noProgress: Rule = {
  rule: "no_progress",
  title: "No progress",
  definition:
    "Nothing is published, although a relay is alive, its sink is not known to be down, and due messages wait.",
  threshold: (settings) =>
    `nothing published for ${formatDuration(settings.noProgressSeconds)} while due messages wait`,
  needs: ["relays", "waiting"],
  evaluate: (input) => {
    const stall = findStall(input);
    if (stall === null) return [];
    const { figures, settings } = input;
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
        nextStep: stall.refusal
          ? REFUSED_NEXT_STEP
          : `${withheld === null ? "" : "Relays lists what is paused or held: retry or archive the dead messages, or resume. If more than that waits: "}Read the relay's last error and its log, and check this page for old transactions: an open transaction can hide rows from the relay. Restarting the worker is safe and repeats at most what is in flight.`,
        next: { label: "See the relays", path: pagePath("relays", settings.outbox) },
        messages: figures.waiting,
        aggregates: null,
        since: stall.since,
        evidence: evidenceOf({
          Relay: `${owner.host}, process ${owner.pid}, ${owner.state}`,
          "Last published": last ? formatInstant(last) : "never by this relay",
          "Last error": owner.lastError,
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
  /** Why the store does not take the relay's marks; null if it does, or if nothing says why. */
  refusal: string | null;
}

const REFUSED_NEXT_STEP =
  "Give the relay's database user the right that it lacks, or remove what refuses the change; `npm run doctor` names missing rights. The relay then goes on without a restart. A restart sends again what was published and is not marked.";

/** Null if something was published recently, nothing is due, or another cause explains the stall. */
function findStall(input: DiagnosisInput): Stall | null {
  const { settings, facts, figures, asOf } = input;
  const { relays, waiting } = facts;
  if (!relays || !waiting || relays.pause) return null;
  const alive = aliveRelays(input);
  const [owner = alive[0]] = alive.filter((one) => one.state === "owner" || one.state === "holding");
  if (!owner || alive.some((one) => one.breaker !== null)) return null;
  const claimedSeconds = figures.oldestClaimSeconds ?? 0;
  const dueAt = waiting.oldestDueAt ?? (claimedSeconds > 0 ? before(asOf, claimedSeconds) : null);
  if (dueAt === null || (waiting.due === 0 && claimedSeconds < settings.noProgressSeconds)) return null;
  const published = alive.flatMap((one) => (one.lastPublishedAt ? [one.lastPublishedAt] : []));
  const last = published.sort().at(-1) ?? null;
  // A relay that has just started had no time to publish yet.
  const since = [dueAt, owner.startedAt, ...(last === null ? [] : [last])].reduce(later);
  if (ageSecondsOf(since, asOf) <= settings.noProgressSeconds) return null;
  const withheld = describeWithheld(relays.partial);
  return { owner, last, dueAt, since, claimedSeconds, withheld, refusal: refusalOf(owner, input) };
}

function later(one: string, other: string): string {
  return Date.parse(one) > Date.parse(other) ? one : other;
}

function refusalOf(owner: Stall["owner"], { settings, asOf }: DiagnosisInput): string | null {
  const { settlingSince, lastError, lastErrorAt } = owner;
  if (settlingSince === null || ageSecondsOf(settlingSince, asOf) < settings.noProgressSeconds) return null;
  if (lastError === null || lastErrorAt === null || lastErrorAt < settlingSince) return null;
  return lastError.startsWith(OUTCOMES_UNWRITTEN) ? lastError.slice(OUTCOMES_UNWRITTEN.length) : null;
}

function whatOf({ owner, refusal }: Stall): string {
  if (refusal !== null) return `the relay cannot mark what it has published: ${shortError(refusal)}`;
  const held = owner.state === "holding" && owner.lastError !== null ? `: ${shortError(owner.lastError)}` : "";
  const unconfirmed =
    held === "" && owner.inFlight > 0
      ? `: the sink ${owner.sinkName} has not confirmed the ${formatMessages(owner.inFlight)} that it was sent`
      : "";
  return `the relay is alive and publishes nothing${held}${unconfirmed}`;
}

function diagnosisOf(stall: Stall, input: DiagnosisInput): string {
  const { owner, last, dueAt, claimedSeconds, withheld, refusal } = stall;
  if (refusal !== null)
    return `The relay (process ${owner.pid} on ${owner.host}) has sent messages that the sink confirmed, and the store refuses to mark them: ${endSentence(refusal)} Messages have been due since ${formatInstant(dueAt)}.`;
  const since = last ? `it has published nothing for ${ageOf(last, input.asOf)}` : "it has published nothing so far";
  const sentences = [
    `The relay (process ${owner.pid} on ${owner.host}) is alive and its sink is not known to be down, but ${since}, while messages have been due since ${formatInstant(dueAt)}.`,
  ];
  if (claimedSeconds >= input.settings.noProgressSeconds) {
    sentences.push(`It has held a batch for ${formatDuration(claimedSeconds)} and cannot finish it.`);
  }
  if (withheld !== null) sentences.push(`In this outbox, ${withheld}; that may be all that waits.`);
  return sentences.join(" ");
}
