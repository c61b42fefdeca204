import { type HealthStatus, worstStatus } from "../figures/limits.ts";
import { boundOf, capitalize, formatBytes, formatCount, formatDuration, formatPlural, formatRate } from "../format.ts";
import type { Cause, DiagnosisInput } from "./cause.ts";
import { aliveRelays } from "./causes/no-relay-alive.ts";
import { hasNothingToProbeWith } from "./causes/sink-unavailable.ts";
import { describeLimit, drainPerSecond, failedAndThen, hasSurged, mayGrow, unheard } from "./phrases.ts";
import { VERDICT_TITLES, type VerdictWord } from "./words.ts";

export interface Verdict {
  word: VerdictWord;
  status: HealthStatus;
  title: string;
  /** The first cause's sentence; null when nothing is wrong. */
  cause: string | null;
  since: string | null;
  evidence: string;
  /** How many causes follow the first, with the second one's sentence; null when there is at most one cause. */
  more: string | null;
  next: { label: string; path: string } | null;
}

/** The verdict on an outbox: its first cause, the figures that prove it, and the other causes. */
export function verdictOf(input: DiagnosisInput, causes: readonly Cause[]): Verdict {
  const [first, second] = causes;
  const word = wordOf(causes);
  const evidence = evidenceOf(input, word);
  if (!first) return { ...fine(input), evidence };
  return {
    word,
    status: worstStatus(causes.map(({ severity }) => severity)),
    title: (word === first.word ? first.headline : null) ?? VERDICT_TITLES[word],
    cause: first.sentence,
    since: first.since,
    evidence,
    more: second ? `and ${formatCount(causes.length - 1)} more: ${introOf(second)}${second.sentence}` : null,
    next: first.next,
  };
}

/** The first cause's word. Where the whole outbox is paused, no cause may claim that something is delivered. */
function wordOf(causes: readonly Cause[]): VerdictWord {
  const word = causes[0]?.word ?? "delivering";
  return (word === "in_part" || word === "late") && causes.some(isPauseOfAll) ? "paused" : word;
}

function isPauseOfAll({ rule, word }: Cause): boolean {
  return rule === "paused" && word === "paused";
}

/** Some sentences only make sense after their title. This text replaces the title when they follow another sentence. */
function introOf(cause: Cause): string {
  if (isPauseOfAll(cause)) return "paused ";
  return cause.headline === "Late, draining" ? "late, draining, " : "";
}

function fine(input: DiagnosisInput): Omit<Verdict, "evidence"> {
  const { connector, untold } = input.settings;
  const title = connector === null && !untold && knowsOutflow(input) ? VERDICT_TITLES.delivering : "Within its limits";
  return { word: "delivering", status: "pass", title, cause: null, since: null, more: null, next: null };
}

/** True if the outflow is known: our relay serves the outbox, nothing waits, or the rate was measured. */
function knowsOutflow({ settings, figures }: DiagnosisInput): boolean {
  return settings.mode === "relay" || figures.waiting === 0 || figures.outPerSecond !== null;
}

function evidenceOf(input: DiagnosisInput, word: VerdictWord): string {
  const { figures } = input;
  const { inPerSecond, outPerSecond } = figures;
  const alive = aliveRelays(input);
  const down = alive.filter((one) => one.breaker !== null);
  const parts = [
    waitingText(input),
    inPerSecond !== null && outPerSecond !== null && !unheard(input)
      ? `In ${formatRate(inPerSecond)}/s, out ${formatRate(outPerSecond)}/s${trend(input, word)}.`
      : null,
    failedText(input),
    down.length > 0 && !hasNothingToProbeWith(input)
      ? `${down.length < alive.length ? "One" : "The"} relay holds messages back and probes the sink; no attempts are used up.`
      : null,
  ];
  return parts.filter((part) => part !== null).join(" ");
}

function failedText({ figures, settings }: DiagnosisInput): string | null {
  if (figures.failed === 0) return null;
  const least = figures.failedCapped ? "At least " : "";
  return `${least}${formatCount(figures.failed)} ${failedAndThen(settings.failedMeans)}.`;
}

function waitingText(input: DiagnosisInput): string {
  const { figures, settings, facts } = input;
  if (settings.connector !== null) return connectorText(settings.connector, facts);
  if (settings.byLog) return byLogText(input, settings.failSeconds);
  if (settings.untold) return "No row says whether it was published.";
  if (!figures.waitingKnown) return "How many messages wait, and since when, is not known.";
  if (figures.waiting === 0) return "Nothing waits.";
  const bound = capitalize(boundOf(figures.waitingCapped, figures.waitingEstimated ?? false));
  const count = `${bound}${formatPlural(figures.waiting, "message")}`;
  const one = figures.waiting === 1;
  const wait = `${count} ${one ? "waits" : "wait"}`;
  if (!figures.agesKnown) return `${wait}; ${one ? "its age is" : "their ages are"} not known.`;
  if (figures.oldestSeconds === null) return `${wait}.`;
  return `${wait}, the oldest ${formatDuration(figures.oldestSeconds)} (${describeLimit(settings.failSeconds)}).`;
}

/** No row says whether our relay has sent it, so its records and its slot are named instead. */
function byLogText({ figures, facts }: DiagnosisInput, failSeconds: number): string {
  const { waiting, oldestSeconds } = figures;
  const stream = facts.relays?.instances.find((one) => one.stream !== null)?.stream;
  const lag = stream?.lagBytes ?? null;
  const unread =
    lag === null ? "; how far the log was read is not known" : `; ${formatBytes(lag)} of log is not confirmed`;
  if (waiting === 0) return `Nothing is recorded as waiting${unread}.`;
  const recorded = `At least ${formatPlural(waiting, "message")} ${waiting === 1 ? "waits" : "wait"}`;
  const oldest =
    oldestSeconds === null ? "" : `, the oldest ${formatDuration(oldestSeconds)} (${describeLimit(failSeconds)})`;
  return `${recorded}${oldest}${unread}.`;
}

/** No row says whether Debezium has sent it, so only the connector and its slot are named. */
function connectorText(name: string, { connector, connectorSlot: slot }: DiagnosisInput["facts"]): string {
  const lag = slot?.unconfirmedBytes ?? null;
  const unconfirmed = lag === null ? "" : `; ${formatBytes(lag)} of log is not confirmed`;
  return `The connector ${name} ${stateText(connector)}${unconfirmed}.`;
}

function stateText(connector: DiagnosisInput["facts"]["connector"]): string {
  if (!connector?.state) return "is in a state that is not known";
  if (connector.state !== "RUNNING") return `is ${connector.state.toLowerCase()}`;
  return connector.tasks.some(({ state }) => state === "RUNNING") ? "publishes" : "has no task that runs";
}

/** Fewest waiting messages for which growth is reported. With fewer, in and out differ only by what is in flight. */
const GROWTH_FROM = 20;

/** No end of the backlog is predicted for these words: nothing is published now, and rates are of the last sample. */
const STANDS_STILL: readonly VerdictWord[] = ["not_delivering", "paused"];

function trend({ figures }: DiagnosisInput, word: VerdictWord): string {
  if (hasSurged(figures)) return "";
  const surplus = (figures.inPerSecond ?? 0) - (figures.outPerSecond ?? 0);
  // Failures are subtracted: messages that wait for a retry or became dead are not counted as growth.
  const growth = surplus > 0 ? Math.max(0, surplus - (figures.failuresPerSecond ?? 0)) : surplus;
  if (growth > 0.2 && !mayGrow(figures)) return "";
  if (growth > 0.2 && figures.waiting >= GROWTH_FROM) return `, growing by ${formatCount(growth * 60)} a minute`;
  if (growth >= -0.2 || figures.waiting <= 50 || STANDS_STILL.includes(word) || !figures.waitingKnown) return "";
  return `, drained in ${figures.waitingCapped ? "at least" : "about"} ${formatDuration(figures.waiting / drainPerSecond(figures))}`;
}
