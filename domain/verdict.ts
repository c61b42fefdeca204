import { formatCount, formatDuration, formatPlural, formatRate } from "./format.ts";
import { describeWithheld, type Withheld } from "./withheld.ts";

export type VerdictWord = "delivering" | "late" | "not_delivering" | "paused" | "unknown";

/** What the verdict is made of; all from one snapshot. */
export interface VerdictInput {
  waiting: number;
  /** False where telling what waits would read the whole table: then nothing below may be taken for "nothing waits". */
  waitingKnown: boolean;
  failed: number;
  dead: number;
  oldestSeconds: number | null;
  /** Age of the oldest live claim: what is in flight for long is stuck all the same. */
  oldestClaimSeconds: number | null;
  warnSeconds: number;
  failSeconds: number;
  deadWarn: number;
  deadFail: number;
  inPerSecond: number | null;
  outPerSecond: number | null;
  failuresPerSecond: number | null;
  /** Null where our relay does not serve the outbox. */
  relay: {
    alive: number;
    heartbeatAgeSeconds: number | null;
    lastState: string | null;
    breaker: { sink: string; code: string; message: string; since: string } | null;
    paused: { reason: string; by: string; until: string | null } | null;
    lastError: string | null;
    partialPauses: Withheld;
  } | null;
  blockedAggregates: number;
  /** Of the snapshot, RFC 3339. */
  asOf: string;
}

export interface VerdictOutput {
  word: VerdictWord;
  status: "pass" | "warn" | "fail";
  title: string;
  cause: string | null;
  since: string | null;
  evidence: string;
  next: { label: string; page: "stuck" | "failed" | "dead" | "relays" | "unsent" | "settings" } | null;
}

const LATE = { word: "late", status: "warn", title: "Delivering late" } as const;
const BROKEN = { word: "not_delivering", status: "fail", title: "Not delivering" } as const;

/** One sentence on whether events flow; the most likely cause first. Pure: the same figures give the same words. */
export function verdictOf(input: VerdictInput): VerdictOutput {
  const evidence = evidenceOf(input);
  const { relay } = input;
  const overdue = input.oldestSeconds !== null && input.oldestSeconds >= input.failSeconds;
  const late = input.oldestSeconds !== null && input.oldestSeconds >= input.warnSeconds;
  const since = sinceOldest(input);
  if (relay?.paused) {
    const until = relay.paused.until ? `until ${relay.paused.until.slice(11, 16)} UTC` : "until someone resumes it";
    return {
      word: "paused",
      status: "warn",
      title: "Paused",
      cause: `${relay.paused.by}: ${relay.paused.reason} (${until})`,
      since: null,
      evidence,
      next: { label: "See the pause", page: "relays" },
    };
  }
  if (relay && relay.alive === 0) {
    const age =
      relay.heartbeatAgeSeconds === null
        ? "no relay has ever reported"
        : `the last heartbeat was ${formatDuration(relay.heartbeatAgeSeconds)} ago`;
    const from = relay.heartbeatAgeSeconds === null ? null : before(input.asOf, relay.heartbeatAgeSeconds);
    return {
      ...BROKEN,
      cause: `no relay is alive, ${age}`,
      since: from,
      evidence,
      next: { label: "See the relays", page: "relays" },
    };
  }
  if (relay?.breaker) {
    return {
      ...BROKEN,
      cause: sinkCause(relay.breaker),
      since: relay.breaker.since,
      evidence,
      next: { label: `See the cause: ${relay.breaker.sink}, ${relay.breaker.code}`, page: "stuck" },
    };
  }
  if (relay?.lastState === "holding" && relay.lastError) {
    return { ...BROKEN, cause: relay.lastError, since, evidence, next: { label: "See the relays", page: "relays" } };
  }
  const claimed = input.oldestClaimSeconds ?? 0;
  if (claimed >= input.warnSeconds && claimed > (input.oldestSeconds ?? 0)) {
    const cause = `the relay has held a batch for ${formatDuration(claimed)} and cannot finish it`;
    const severity = claimed >= input.failSeconds ? BROKEN : LATE;
    return {
      ...severity,
      cause,
      since: before(input.asOf, claimed),
      evidence,
      next: { label: "See what is stuck", page: "stuck" },
    };
  }
  if (!input.waitingKnown) {
    return {
      word: "unknown",
      status: "warn",
      title: "Not known",
      cause: "no index tells what waits, and reading the whole table would burden the database",
      since: null,
      evidence,
      next: { label: "See which index is missing", page: "settings" },
    };
  }
  const stalled = overdue && input.outPerSecond !== null && input.outPerSecond === 0;
  if (overdue && input.blockedAggregates > 0 && !stalled) {
    const title = "Delivering, but not everything";
    return {
      word: "late",
      status: "fail",
      title,
      cause: `${formatPlural(input.blockedAggregates, "aggregate")} blocked behind a failed message`,
      since,
      evidence,
      next: { label: "See what failed", page: "failed" },
    };
  }
  const withheld = relay && describeWithheld(relay.partialPauses);
  if (late && withheld && input.blockedAggregates === 0) {
    return {
      word: "late",
      status: overdue ? "fail" : "warn",
      title: "Delivering, but not everything",
      cause: withheld,
      since,
      evidence,
      next: { label: "See what is paused", page: "relays" },
    };
  }
  if (overdue) {
    return {
      ...BROKEN,
      cause: stalled ? "work waits and nothing goes out" : "the oldest message waits too long",
      since,
      evidence,
      next: { label: "See what is stuck", page: "stuck" },
    };
  }
  if (late) {
    const cause =
      input.blockedAggregates > 0
        ? `${formatPlural(input.blockedAggregates, "aggregate")} blocked behind a failed message`
        : "the oldest message waits longer than it should";
    return { ...LATE, cause, since, evidence, next: { label: "See what waits", page: "unsent" } };
  }
  if (input.dead >= input.deadFail && input.deadFail > 0) {
    return {
      word: "delivering",
      status: "fail",
      title: "Delivering, but too many dead letters",
      cause: `${formatPlural(input.dead, "message")} given up on`,
      since: null,
      evidence,
      next: { label: "See the dead letters", page: "dead" },
    };
  }
  if (input.dead >= input.deadWarn && input.deadWarn > 0) {
    return {
      word: "delivering",
      status: "warn",
      title: "Delivering",
      cause: `${formatPlural(input.dead, "message")} given up on`,
      since: null,
      evidence,
      next: { label: "See the dead letters", page: "dead" },
    };
  }
  return {
    word: "delivering",
    status: "pass",
    title: knowsOutflow(input) ? "Delivering" : "Within its limits",
    cause: null,
    since: null,
    evidence,
    next: null,
  };
}

/** Whether anything shows that messages go out: nothing waits, or their rate is known. */
function knowsOutflow(input: VerdictInput): boolean {
  return input.relay !== null || input.waiting === 0 || input.outPerSecond !== null;
}

const SINK_TROUBLES: Record<string, string> = {
  unreachable: "cannot be reached",
  auth: "refuses our credentials",
  throttled: "asks us to slow down",
  unavailable: "says that it is unavailable",
  timeout: "does not answer in time",
  server_error: "answers with errors whatever it is sent",
};

/** Why the sink cannot be used, in words first and in its client's own words after. */
export function sinkCause(breaker: { sink: string; code: string; message: string }): string {
  return `the sink ${breaker.sink} ${SINK_TROUBLES[breaker.code] ?? "cannot be used"} (${breaker.message})`;
}

function evidenceOf(input: VerdictInput): string {
  const parts: string[] = [];
  if (!input.waitingKnown) parts.push("How many messages wait, and since when, is not known.");
  else if (input.waiting === 0) parts.push("Nothing waits.");
  else if (input.oldestSeconds === null) parts.push(`${formatPlural(input.waiting, "message")} on the way.`);
  else
    parts.push(
      `${formatPlural(input.waiting, "message")} ${input.waiting === 1 ? "waits" : "wait"}, the oldest ${formatDuration(input.oldestSeconds)} (limit ${formatDuration(input.failSeconds)}).`,
    );
  if (input.inPerSecond !== null && input.outPerSecond !== null) {
    parts.push(
      `In ${formatRate(input.inPerSecond)}/s, out ${formatRate(input.outPerSecond)}/s${trend(growth(input), input.waiting)}.`,
    );
  }
  if (input.failed > 0) parts.push(`${formatCount(input.failed)} failed and will be tried again.`);
  if (input.relay?.breaker) parts.push("The relay holds and probes; no attempts are burned.");
  return parts.join(" ");
}

/** What fails either waits for its retry, and does not grow the backlog, or leaves it as a dead letter. */
function growth(input: VerdictInput): number {
  const surplus = (input.inPerSecond ?? 0) - (input.outPerSecond ?? 0);
  return surplus > 0 ? Math.max(0, surplus - (input.failuresPerSecond ?? 0)) : surplus;
}

/** In and out of one sample differ by what happens to be on the way: only a backlog can grow. */
const GROWTH_FROM = 20;

function trend(growthPerSecond: number, waiting: number): string {
  if (growthPerSecond > 0.2 && waiting >= GROWTH_FROM)
    return `, growing by ${formatCount(growthPerSecond * 60)} a minute`;
  if (growthPerSecond < -0.2 && waiting > 50) return `, drained in about ${formatDuration(waiting / -growthPerSecond)}`;
  return "";
}

function sinceOldest(input: VerdictInput): string | null {
  return input.oldestSeconds === null ? null : before(input.asOf, input.oldestSeconds);
}

function before(asOf: string, seconds: number): string {
  return new Date(Date.parse(asOf) - seconds * 1000).toISOString();
}
