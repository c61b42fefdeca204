import { isUnreal } from "../../figures/unreal-time.ts";
import { formatCount, formatDuration, formatRate } from "../../format.ts";
import type { CauseDraft, DiagnosisInput, Rule } from "../cause.ts";
import type { Figures } from "../facts/figures.ts";
import {
  allWaits,
  before,
  byAge,
  drainPerSecond,
  evidenceOf,
  formatInstant,
  formatMessages,
  fromLimit,
  hasSurged,
  heldUp,
  isUntoldByDesign,
  mayGrow,
  messagesPath,
  nothingGoesOut,
  readsHeads,
  unheard,
} from "../phrases.ts";
import { isOfPart, stepOfError } from "../sink-words.ts";
import { storeRemedy } from "../store-remedies.ts";
import { isOfStore, lastFailure, refusedMarks } from "./last-failure.ts";
import { explanationOf } from "./late-explanation.ts";
import { aliveRelays } from "./no-relay-alive.ts";
import { allAreOrderless, lateAreOrderless } from "./orderless.ts";
import { isMarking, publishesNow, silentRelay, slowMarks, slowSink, withTheSink } from "./slow-parts.ts";

/** Messages a second by which out must exceed in to count as draining; less is noise. */
const DRAINS_FROM = 0.2;

export const overdue: Rule = {
  rule: "overdue",
  title: "Overdue",
  definition: "A message has been due for too long, and no other rule explains it.",
  threshold: (settings) =>
    `age of a message that is due: warning ${fromLimit(settings.warnSeconds)}, failure ${fromLimit(settings.failSeconds)}`,
  needs: [],
  isComplete: (input) => {
    const { waitingKnown, agesKnown, waiting } = input.figures;
    return (waitingKnown && (agesKnown || waiting === 0)) || isUntoldByDesign(input);
  },
  evaluate: (input) => {
    const { facts, figures } = input;
    if (figures.judged.oldestPending === "pass" || figures.oldestSeconds === null) return [];
    if (allAreOrderless(input) || lateAreOrderless(input)) return [];
    // Other rules report failed heads and the messages behind them.
    const noneElse = facts.waiting?.overdue === 0 && !facts.waiting.capped;
    const explained = (facts.blocked ?? []).length > 0 && noneElse;
    return explained ? [] : [overdueDraft(input)];
  },
};

export function overdueDraft(input: DiagnosisInput): CauseDraft {
  const { settings, facts, figures, asOf } = input;
  const oldestSeconds = figures.oldestSeconds ?? 0;
  const oldestAt = figures.oldestDueAt ?? before(asOf, oldestSeconds);
  const unreal = isUnreal(Date.parse(oldestAt)) ? unrealText(oldestAt) : null;
  const flow = flowOf(input);
  return {
    key: "overdue",
    severity: byAge(input),
    title: "Overdue messages",
    subject: unreal === null ? `the oldest due for ${formatDuration(oldestSeconds)}` : "the oldest without a real time",
    ...flow,
    clauses: [...(flow.clauses ?? []), unreal],
    diagnosis: `${unreal === null ? `The oldest message has been due for ${formatDuration(oldestSeconds)}` : "Since when messages wait is not known: the producer wrote no real time, such as 0"} (warning ${fromLimit(settings.warnSeconds)}, failure ${fromLimit(settings.failSeconds)}). ${explanationOf(input)}`,
    nextStep: nextStepOf(input),
    next: { label: "See what waits", path: messagesPath(settings.outbox, { state: "unsent" }) },
    ...heldUp(input),
    aggregates: facts.waiting?.overdueAggregates || null,
    since: unreal === null ? oldestAt : null,
    evidence: evidenceOf({
      "Oldest due since": formatInstant(oldestAt),
      Waiting: allWaits(input),
      "Over the warning limit": facts.waiting?.overdue
        ? formatMessages(facts.waiting.overdue, facts.waiting.capped)
        : null,
      In: figures.inPerSecond === null ? null : `${formatRate(figures.inPerSecond)}/s`,
      Out: figures.outPerSecond === null ? null : `${formatRate(figures.outPerSecond)}/s`,
    }),
  };
}

const unrealText = (instant: string) => `the oldest says ${formatInstant(instant)}, which is no real time`;

function nextStepOf(input: DiagnosisInput): string {
  if (unheard(input))
    return "Fix the database error that refuses the relay's heartbeat first; only then are its errors and rates known.";
  const fewAndOld = areFewTurnedOver(input) ? FEW_AND_OLD : null;
  if (input.settings.mode !== "relay")
    return (
      fewAndOld ??
      `${failedOfThem(input) === null ? "" : "Read the errors on Failures. "}Check that this table's relay runs and that its query finds these rows. No relay of Outbox Console publishes this outbox.`
    );
  const silent = silentRelay(input);
  if (silent !== null)
    return `Check that the relay's process runs and reaches the database: ${silent}. If it is gone, another worker takes over within seconds.`;
  const marks = stepOfSlowMarks(input);
  if (marks !== null) return marks;
  const part = failingPart(input);
  if (part !== null) return stepOfError({ code: "", message: part }) ?? `${REPAIR_PART} ${WAITS_IN_ORDER}`;
  const unconfirmed = withTheSink(input);
  if (unconfirmed !== null) return `See whether the receiver works: ${unconfirmed}. ${UNTIL_TIMEOUT}`;
  const failed = lastFailure(input);
  const slow = slowSink(input);
  const sendsInTurn = aliveRelays(input)[0]?.ordering !== "none";
  if (failed !== null && NO_ANSWER.test(failed))
    return `See why the receiver takes so long: ${slow ?? failed}. ${RAISE_TIMEOUT}`;
  if (slow !== null)
    return `See why the receiver takes so long: ${slow}. ${sendsInTurn ? ONE_AT_A_TIME : MORE_AT_ONCE}`;
  if (fewAndOld !== null) return fewAndOld;
  return `${firstStepOf(lastFailure(input))} in and out on Overview. If the relay is merely slower than the producers, start another worker or wait until they slow down${sendsInTurn ? BY_ONE_WORKER : ""}. If it is not, open the oldest message and read why it is not moving.`;
}

function stepOfSlowMarks(input: DiagnosisInput): string | null {
  if (slowMarks(input) === null) return null;
  const refused = refusedMarks(input);
  return refused !== null
    ? storeRemedy(refused)
    : "Find out why the database is slow to mark rows as published: a trigger, a lock, a missing index, load, or the network. The messages are already sent, so another worker does not help.";
}

/**
 * The last failure, if it is of one part of the receiver while others take messages: what is late waits for that part.
 */
function failingPart(input: DiagnosisInput): string | null {
  const failed = lastFailure(input);
  return failed !== null && isOfPart(failed) && publishesNow(input) ? failed : null;
}

const REPAIR_PART = "Fix at the receiver what the error names; other messages get through.";
const WAITS_IN_ORDER = "What waits uses up no attempts and goes out in order.";
const UNTIL_TIMEOUT =
  "The relay waits for the answer until the sink's timeout (outbox.yaml) and then holds messages back and probes.";

/** What waits is no more than goes out within a second, so on average a message does not wait for long. */
function areFewTurnedOver(input: DiagnosisInput): boolean {
  const { waiting, waitingKnown, waitingCapped, failed, outPerSecond } = input.figures;
  const isExact = waitingKnown && !waitingCapped && failed === 0;
  return isExact && waiting <= (outPerSecond ?? 0) && publishesNow(input) && lastFailure(input) === null;
}

const FEW_AND_OLD =
  "Open the oldest message and look again after a few seconds. If it is gone, rows commit late: transactions are long, or producers set an earlier time. If it is still there, its page says why it does not move; all other messages go out.";

/** What to do about the last failed attempt, if there is one, up to the comparison of in and out. */
function firstStepOf(failed: string | null): string {
  if (failed === null) return "Compare";
  if (isOfStore(failed))
    return "See first whether the relay reaches the database, and which sessions hold locks. Otherwise compare";
  return "Read the last failed attempt first. If it concerns the waiting messages, fix at the receiver what the error names. Otherwise compare";
}

/** In the words of the sinks: an attempt that got no answer in time. */
const NO_ANSWER = /^no answer within\b|\bRequest timed out$/;
const RAISE_TIMEOUT =
  "If it needs the time, raise timeout in the sink's section of outbox.yaml and restart the worker: an attempt without an answer may have arrived, and is sent again.";
const BY_ONE_WORKER = "; messages of one aggregate go out one at a time, however many workers run";
const MORE_AT_ONCE = "Another worker or a higher relay.concurrency sends more messages at the same time.";
const ONE_AT_A_TIME =
  "To keep order, each aggregate has one message at a time with it. Another worker or a higher relay.concurrency helps only if more aggregates wait than messages are with the sink.";

/** Rows marked as claimed, without a time. The program that claimed them may have died; the table does not say. */
function markedAsClaimed({ facts }: DiagnosisInput): string | null {
  const claims = facts.expiredClaims;
  if (!claims || claims.claimedAtKnown || claims.messages === 0) return null;
  return `${claims.capped ? "at least " : ""}${formatCount(claims.messages)} of them marked as claimed`;
}

/** Failed messages among those that wait, where no heads of aggregates are read. */
function failedOfThem(input: DiagnosisInput): string | null {
  const { figures } = input;
  if (figures.failed === 0 || readsHeads(input)) return null;
  return `${figures.failedCapped ? "at least " : ""}${formatCount(figures.failed)} of them failed`;
}

/** More wait than at the newest sample: the rates are of before, and do not show what has come since. */
function hasGrown(figures: Figures): boolean {
  return figures.waitingBefore !== null && mayGrow(figures) && !figures.waitingCapped;
}

/**
 * Another program's rate is inferred from what came in and what waits. The two are not read at one instant, so it is
 * seldom exactly 0.
 */
function hardlyAnythingGoesOut({ settings, figures }: DiagnosisInput): boolean {
  const { inPerSecond, outPerSecond } = figures;
  if (settings.mode === "relay" || inPerSecond === null || outPerSecond === null) return false;
  return outPerSecond <= DRAINS_FROM && inPerSecond - outPerSecond > DRAINS_FROM && mayGrow(figures);
}

/** What the rates say about the backlog: draining, growing, stopped, or unknown. */
function flowOf(input: DiagnosisInput): Pick<CauseDraft, "word" | "headline" | "what" | "saysSince" | "clauses"> {
  const { figures } = input;
  const { inPerSecond, outPerSecond } = figures;
  const failed = lastFailure(input);
  const part = failingPart(input);
  const lastTry = failed === null ? null : `the last failed attempt: ${failed}`;
  const clauses = [
    allWaits(input),
    failedOfThem(input),
    markedAsClaimed(input),
    silentRelay(input) ?? slowMarks(input) ?? withTheSink(input) ?? (part === null ? slowSink(input) : null),
  ];
  if (nothingGoesOut(input))
    return {
      word: "not_delivering",
      what: `nothing is ${isMarking(input) ? "marked as " : ""}published, and messages have been due`,
      clauses: [...clauses, lastTry],
    };
  if (inPerSecond === null || outPerSecond === null || unheard(input)) {
    return {
      word: "late",
      headline: "Overdue",
      what: "the oldest message has been due",
      clauses: [...clauses, lastTry, "whether anything goes out is not known"],
    };
  }
  if (hardlyAnythingGoesOut(input))
    return { word: "not_delivering", what: "almost nothing is published, and messages have been due", clauses };
  const drains = outPerSecond - inPerSecond;
  if (
    drains > DRAINS_FROM &&
    figures.waitingKnown &&
    !hasGrown(figures) &&
    !hasSurged(figures) &&
    publishesNow(input)
  ) {
    return {
      word: "late",
      headline: "Late, draining",
      what: `done in about ${formatDuration(figures.waiting / drainPerSecond(figures))}${figures.waitingCapped ? " or more" : ""}`,
      saysSince: false,
      clauses,
    };
  }
  if (part !== null)
    return {
      word: "in_part",
      what: `some deliveries fail (${part}), and messages have been due`,
      clauses: [...clauses, "others flow"],
    };
  const isGrowing = drains < -DRAINS_FROM && mayGrow(figures) && !hasSurged(figures);
  const growth = isGrowing ? `growing by ${formatCount(-drains * 60)} a minute` : null;
  return { word: "late", what: "the oldest message has been due", clauses: [...clauses, growth, lastTry] };
}
