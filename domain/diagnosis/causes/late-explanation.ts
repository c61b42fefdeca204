import type { DiagnosisInput } from "../cause.ts";
import { ageSecondsOf, before, formatInstant, readsHeads, transactionName, unheard } from "../phrases.ts";
import { lastFailure } from "./last-failure.ts";
import { aliveRelays } from "./no-relay-alive.ts";
import { lockedOut, silentRelay } from "./slow-parts.ts";

/** That nothing explains it is only said of heads, locks and errors that could be read. */
export function explanationOf(input: DiagnosisInput): string {
  const waitedFor = waitedForUse(input);
  const unread = [unreadHeads(input), unreadLocks(input), unreadErrors(input)].filter((one) => one !== null);
  const failed = lastFailure(input);
  const read = ["failed head", "lock", "outage"].filter(
    (cause) => !unread.some((one) => one.cause === cause) && !(failed !== null && cause === "failed head"),
  );
  const told = [
    ...(failed === null ? [] : [`The relay's last failed attempt: ${failed}`]),
    ...(waitedFor === null ? [] : [waitedFor]),
    ...(read.length === 0 || waitedFor !== null
      ? []
      : [`${failed === null ? "No" : "Otherwise no"} ${anyOf(read)} explains it`]),
  ].join(". ");
  const clauses = unread.map(({ clause }) => clause).join("; ");
  if (told === "") return `What explains it is not known: ${clauses}.`;
  return `${[told, clauses].filter((part) => part !== "").join("; ")}.`;
}

/** Longer after it became possible, what still waits does so for another reason, or for its own number. */
const USABLE_AGAIN_SECONDS = 300;

/** Messages became due while nothing could send them: no relay ran, or the database or the table could not be used. */
function waitedForUse(input: DiagnosisInput): string | null {
  const { figures, outage, asOf, settings } = input;
  const dueAt = figures.oldestDueAt ?? before(asOf, figures.oldestSeconds ?? 0);
  const explains = (usableAt: string) =>
    Date.parse(dueAt) < Date.parse(usableAt) && ageSecondsOf(usableAt, asOf) < USABLE_AGAIN_SECONDS;
  if (outage && explains(before(asOf, outage.endedSeconds))) {
    const [from, to] = [outage.endedSeconds + outage.seconds, outage.endedSeconds].map((ago) =>
      formatInstant(before(asOf, ago)),
    );
    return `From ${from} to ${to} ${COULD_NOT[outage.of ?? "database"]}`;
  }
  const started = settings.mode === "relay" ? aliveRelays(input)[0]?.startedAt : undefined;
  return started !== undefined && explains(started)
    ? `No relay that runs now had started before ${formatInstant(started)}, when the oldest was due already`
    : null;
}

const COULD_NOT = {
  database: "the console could not use the database",
  table: "the console could not use the outbox's table",
  writes: "the database took no writes",
} as const;

function anyOf(words: readonly string[]): string {
  return words.length === 1 ? `${words[0]}` : `${words.slice(0, -1).join(", ")} or ${words.at(-1)}`;
}

interface Unread {
  cause: "failed head" | "lock" | "outage";
  clause: string;
}

/** Messages that failed since the heads were read, or whose heads are read nowhere. */
function unreadHeads(input: DiagnosisInput): Unread | null {
  const { facts, figures } = input;
  const cause = "failed head";
  if (facts.blocked === undefined || (readsHeads(input) && figures.failed > 0 && facts.blocked?.length === 0))
    return { cause, clause: "the heads of blocked aggregates could not be read, so a failed head may explain it" };
  return figures.failed === 0 || readsHeads(input)
    ? null
    : { cause, clause: "which of the failed messages are late is not known, so they may explain it" };
}

function unreadLocks(input: DiagnosisInput): Unread | null {
  const { facts } = input;
  if (facts.lockHolders === undefined)
    return { cause: "lock", clause: "locks could not be read, so a lock may explain it" };
  const uncounted = facts.lockHolders.find(({ rows, wholeTable }) => rows === null && !wholeTable);
  if (uncounted)
    return {
      cause: "lock",
      clause: `whether ${transactionName(uncounted)} has locked these messages could not be read`,
    };
  return lockedOut(input) ? { cause: "lock", clause: "which session holds the lock could not be read" } : null;
}

function unreadErrors(input: DiagnosisInput): Unread | null {
  const why = unheard(input) ? "the database refuses its heartbeat" : silentRelay(input);
  return why === null ? null : { cause: "outage", clause: `the relay's errors are not known, because ${why}` };
}
