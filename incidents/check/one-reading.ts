import type { Snapshot } from "#contracts/outbox/snapshot.ts";
import type { Verdict } from "#contracts/watch/diagnosis.ts";
import { type CauseCode, VERDICT_WORDS } from "#domain/diagnosis/words.ts";
import { type Reading, type Saying, sayingsOf } from "./reading.ts";
import { worst } from "./worst.ts";

/** How one reading contradicts itself, as sentences. */
export function contradictionsIn(reading: Reading): string[] {
  return [
    ...brokenContracts(reading),
    ...sayingsOf(reading).flatMap(inVerdict),
    ...inFindings(reading),
    ...inSnapshot(reading),
    ...inHealth(reading),
    ...inList(reading),
  ];
}

function brokenContracts({ snapshot, findings, list, health, wholeHealth }: Reading): string[] {
  return Object.entries({ snapshot, findings, list, health, wholeHealth }).flatMap(([name, answer]) =>
    answer.contractBroken ? [`${name} is not of its contract: ${answer.error}`] : [],
  );
}

function inVerdict({ surface, asOf, verdict }: Saying): string[] {
  const { word, status, cause, since, more, next, causes } = verdict;
  const [first] = causes;
  const wrong: string[] = [];
  const claim = (holds: boolean, text: string) => {
    if (!holds) wrong.push(`${surface}: ${text}`);
  };
  claim((status === "pass") === (word === "delivering"), `the word is ${word} and the status ${status}`);
  claim((status === "pass") === (causes.length === 0), `the status is ${status} with ${causes.length} causes`);
  claim(
    cause === (first?.sentence ?? null),
    `the cause is "${cause}" and the first of the causes "${first?.sentence}"`,
  );
  claim(!first || word === first.word, `the word is ${word} and the first cause's ${first?.word}`);
  claim(!first || since === first.since, `it is so since ${since} and its first cause since ${first?.since}`);
  claim(
    status === "pass" || status === worst(causes.map(({ severity }) => severity)),
    `the status is ${status} and the causes are ${causes.map(({ severity }) => severity).join(", ")}`,
  );
  claim((more !== null) === causes.length > 1, `"more" is ${more} with ${causes.length} causes`);
  claim(status === "pass" || next !== null, "there is a cause and no link to it");
  for (const one of causes) {
    claim(
      one.since === null || asOf === null || Date.parse(one.since) <= Date.parse(asOf),
      `"${one.sentence}" since ${one.since}, as of ${asOf}`,
    );
    claim(!/undefined|null|NaN|\[object/.test(one.sentence), `"${one.sentence}" is no sentence`);
    const shown = /since (?:\d{4}-\d\d-\d\d )?(\d\d:\d\d:\d\d)/.exec(one.sentence)?.[1];
    claim(!shown || !one.since || one.since.includes(shown), `"${one.sentence}" says another time than ${one.since}`);
  }
  return wrong;
}

function inFindings({ findings }: Reading): string[] {
  if (findings.body === null) return [];
  const { verdict, findings: list } = findings.body;
  const ids = (some: readonly { id: string }[]) => some.map(({ id }) => id).join(" ");
  const wrong = [];
  if (ids(verdict.causes) !== ids(list))
    wrong.push(`findings: ${ids(list)}, and the causes of its verdict ${ids(verdict.causes)}`);
  if (list[0] && list[0].sentence !== verdict.cause)
    wrong.push(`findings: the first says "${list[0].sentence}" and the verdict "${verdict.cause}"`);
  return wrong;
}

function inSnapshot({ snapshot }: Reading): string[] {
  return snapshot.body === null
    ? []
    : [...fromTheFuture(snapshot.body), ...agesOf(snapshot.body), ...held(snapshot.body)];
}

function fromTheFuture({ asOf, relays, monitor }: Snapshot): string[] {
  const instants = {
    "the breaker": relays?.breaker?.since,
    "the slot": relays?.stream?.since,
    "the monitor": monitor?.lastSeenAt,
  };
  return Object.entries(instants).flatMap(([what, at]) =>
    at && Date.parse(at) > Date.parse(asOf) ? [`snapshot: ${what} is of ${at}, as of ${asOf}`] : [],
  );
}

const unsentOf = ({ counts }: Snapshot) => counts.pending.value + counts.failed.value + counts.in_flight.value;

/** Causes that count messages which still wait. */
const HOLD_UP: readonly CauseCode[] = [
  "blocked_aggregate",
  "route_failing",
  "locked",
  "overdue",
  "failing",
  "expired_claim",
];

/** A cause cannot hold up more messages than wait. */
function held(snapshot: Snapshot): string[] {
  const unsent = unsentOf(snapshot);
  const { pending, failed, in_flight } = snapshot.counts;
  if (![pending, failed, in_flight].every(({ precision }) => precision === "exact")) return [];
  return snapshot.verdict.causes.flatMap(({ rule, messages, sentence }) =>
    HOLD_UP.includes(rule) && (messages ?? 0) > unsent
      ? [`snapshot: "${sentence}", and by its figures ${unsent === 0 ? "nothing waits" : `${unsent} wait`}`]
      : [],
  );
}

/** Every unpublished message has an age, also in flight. */
function agesOf(snapshot: Snapshot): string[] {
  const { counts, scheduled, oldestPending, oldestPendingKnown } = snapshot;
  const unsent = unsentOf(snapshot) - scheduled.value;
  const exact = [counts.pending, counts.failed, counts.in_flight, scheduled].every(
    ({ precision }) => precision === "exact",
  );
  return exact && unsent > 0 && oldestPending === null && oldestPendingKnown
    ? [`snapshot: ${unsent} messages are not published and none of them has an age`]
    : [];
}

function inHealth({ health, wholeHealth, outbox }: Reading): string[] {
  return [inHealthDocument(`health?outbox=${outbox}`, health), inHealthDocument("health", wholeHealth)].flat();
}

function inHealthDocument(name: string, { code, body }: Reading["health"]): string[] {
  if (body === null) return [];
  const checks = Object.values(body.checks ?? {}).flat();
  const wrong: string[] = [];
  if ((code === 503) !== (body.status === "fail")) wrong.push(`${name}: ${body.status} was answered with ${code}`);
  const worstCheck = worst(checks.map(({ status }) => status));
  if (worstCheck !== body.status) wrong.push(`${name}: it says ${body.status} and its worst check ${worstCheck}`);
  const early = checks.filter(({ since, time }) => time && since && Date.parse(since) > Date.parse(time));
  if (early[0])
    wrong.push(
      `${name}: ${early.length} checks are so since after the instant that they are of: ${early[0].since}, as of ${early[0].time}`,
    );
  return wrong;
}

function inList({ list }: Reading): string[] {
  if (list.body === null) return [];
  const { outboxes, fleet } = list.body;
  const words = outboxes.map(({ verdict }) => verdict.word);
  const wrong: string[] = [];
  const ranks = outboxes.map(({ verdict }) => rankOf(verdict));
  if (ranks.some((rank, n) => n > 0 && rank < (ranks[n - 1] ?? 0)))
    wrong.push(
      `outboxes: not sorted worst first: ${outboxes.map(({ verdict }) => `${verdict.word} ${verdict.status}`).join(", ")}`,
    );
  for (const word of VERDICT_WORDS) {
    const seen = words.filter((one) => one === word).length;
    if ((fleet.counts[word] ?? 0) !== seen)
      wrong.push(`fleet: ${fleet.counts[word] ?? 0} are ${word}, and the list has ${seen}`);
  }
  if (words[0] && fleet.word !== words[0]) wrong.push(`fleet: it is ${fleet.word} and the worst outbox ${words[0]}`);
  const statuses = outboxes.map(({ verdict }) => verdict.status);
  if (statuses.length > 0 && fleet.status !== worst(statuses))
    wrong.push(`fleet: its status is ${fleet.status} and the worst outbox's ${worst(statuses)}`);
  return [...wrong, ...titlesOf(list.body.fleet)];
}

/** Failures before warnings, within them by the number of messages affected. */
function rankOf({ word, status }: Verdict): number {
  const statuses = ["fail", "warn", "pass"];
  return VERDICT_WORDS.indexOf(word) * statuses.length + statuses.indexOf(status);
}

/** "6 of 16 not delivering" must agree with the counts. */
function titlesOf({ title, counts }: { title: string; counts: Partial<Record<Verdict["word"], number>> }): string[] {
  const shown = /(\d+) of \d+ not delivering/.exec(title)?.[1];
  return shown && Number(shown) !== (counts.not_delivering ?? 0)
    ? [`fleet: "${title}", and ${counts.not_delivering ?? 0} are not delivering`]
    : [];
}
