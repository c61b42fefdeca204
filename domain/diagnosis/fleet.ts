import { type HealthStatus, worstStatus } from "../figures/limits.ts";
import { boundOf, capitalize, formatCount, formatDuration, formatPlural } from "../format.ts";
import { VERDICT_WORDS, type VerdictWord } from "./words.ts";

/** One outbox in the fleet view. */
export interface FleetEntry {
  outbox: string;
  word: VerdictWord;
  status: HealthStatus;
  /** `cause`: the first cause's sentence. `causeKey`: equal in outboxes with the same cause. */
  cause: string | null;
  causeKey: string | null;
  since: string | null;
  waiting: number | null;
  /** True if counting stopped at a cap: there are at least that many. */
  waitingCapped: boolean;
  /** True if it comes from an estimate of the database. */
  waitingEstimated: boolean;
  oldestSeconds: number | null;
  next: { label: string; path: string } | null;
}

export interface FleetVerdict {
  word: VerdictWord;
  status: HealthStatus;
  title: string;
  cause: string | null;
  since: string | null;
  evidence: string;
  next: { label: string; path: string } | null;
  counts: Partial<Record<VerdictWord, number>>;
  /** Name of the worst outbox; null if there is none. */
  outbox: string | null;
}

/** Worst first: by word, then failures before warnings, then by age of the oldest message. */
export function compareFleet(one: FleetEntry, other: FleetEntry): number {
  const fails = (entry: FleetEntry) => (entry.status === "fail" ? 0 : entry.status === "warn" ? 1 : 2);
  return (
    VERDICT_WORDS.indexOf(one.word) - VERDICT_WORDS.indexOf(other.word) ||
    fails(one) - fails(other) ||
    (other.oldestSeconds ?? -1) - (one.oldestSeconds ?? -1)
  );
}

/** The verdict over all outboxes of one console: how many are affected, and the worst cause. */
export function fleetVerdictOf(entries: readonly FleetEntry[]): FleetVerdict {
  const counts: Partial<Record<VerdictWord, number>> = {};
  for (const { word } of entries) counts[word] = (counts[word] ?? 0) + 1;
  const [worst] = entries.toSorted(compareFleet);
  if (!worst) {
    return { ...NOTHING, counts };
  }
  return {
    word: worst.word,
    status: worstStatus(entries.map(({ status }) => status)),
    title: titleOf(counts, entries.length, worst.word),
    cause: worst.cause === null ? null : `${worst.outbox}: ${worst.cause}`,
    since: worst.since,
    evidence: evidenceOf(entries, worst),
    next: worst.next,
    counts,
    outbox: worst.outbox,
  };
}

const NOTHING: Omit<FleetVerdict, "counts"> = {
  word: "unknown",
  status: "warn",
  title: "No outbox is known",
  cause: null,
  since: null,
  evidence: "None is configured and none was found.",
  next: null,
  outbox: null,
};

const PHRASES: Record<VerdictWord, string> = {
  not_delivering: "not delivering",
  in_part: "in part",
  late: "late",
  unknown: "not known",
  at_risk: "at risk",
  paused: "paused",
  delivering: "delivering",
};

/** "4 of 16 not delivering, 2 in part". */
function titleOf(counts: Partial<Record<VerdictWord, number>>, total: number, worst: VerdictWord): string {
  if (worst === "delivering") return total === 1 ? "Delivering" : `All ${formatCount(total)} outboxes deliver`;
  const first = `${formatCount(counts[worst] ?? 0)} of ${formatCount(total)} ${worst === "in_part" ? "delivering in part" : PHRASES[worst]}`;
  const parts = worst === "not_delivering" ? counts.in_part : undefined;
  return parts ? `${first}, ${formatCount(parts)} in part` : first;
}

const MOST_NAMED = 4;

interface Waiting {
  messages: number;
  least: boolean;
  estimated: boolean;
}

/** What waits in several outboxes; `least`: one of them was counted to a cap, or not at all. */
function waitingIn(entries: readonly FleetEntry[]): Waiting {
  return {
    messages: entries.reduce((sum, { waiting }) => sum + (waiting ?? 0), 0),
    least: entries.some(({ waiting, waitingCapped }) => waiting === null || waitingCapped),
    estimated: entries.some(({ waitingEstimated }) => waitingEstimated),
  };
}

/** ", the oldest 14 m 08 s"; empty where no age is known. */
function oldestIn(entries: readonly FleetEntry[]): string {
  const ages = entries.flatMap(({ oldestSeconds }) => oldestSeconds ?? []);
  return ages.length > 0 ? `, the oldest ${formatDuration(Math.max(...ages))}` : "";
}

function textOf({ messages, least, estimated }: Waiting): string {
  return `${capitalize(boundOf(least, estimated))}${formatPlural(messages, "message")}`;
}

function evidenceOf(entries: readonly FleetEntry[], worst: FleetEntry): string {
  const waiting = waitingIn(entries);
  if (worst.cause === null) {
    return waiting.messages === 0 ? "Nothing waits." : `${textOf(waiting)} on the way${oldestIn(entries)}.`;
  }
  const same = entries.filter((entry) => entry.causeKey !== null && entry.causeKey === worst.causeKey);
  const held = waitingIn(same);
  const parts: string[] = [];
  if (held.messages > 0) {
    parts.push(
      `${textOf(held)} ${held.messages === 1 ? "waits" : "wait"} in ${formatPlural(same.length, "outbox", "outboxes")} with this cause${oldestIn(same)}.`,
    );
  }
  if (same.length > 0 && held.messages === 0 && !held.least) parts.push("Nothing waits with this cause.");
  const others = entries
    .filter((entry) => entry.cause !== null && !same.includes(entry) && entry !== worst)
    .toSorted(compareFleet)
    .map(({ outbox }) => outbox);
  if (others.length > 0) {
    const rest = others.length - MOST_NAMED;
    const names = others.slice(0, MOST_NAMED).join(", ");
    parts.push(`Other causes in ${names}${rest > 0 ? ` and ${formatCount(rest)} more` : ""}.`);
  }
  return parts.join(" ");
}
