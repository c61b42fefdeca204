import { cutText } from "#domain/text/cut-text.ts";
import { boundOf, formatCount, formatDuration, formatLimit, formatPlural } from "../format.ts";
import type { CauseDraft, DiagnosisInput, FailedMeaning } from "./cause.ts";
import type { Figures } from "./facts/figures.ts";
import { LOOKED_AT_WAITING } from "./facts/messages.ts";
import { SILENT_SOON_SECONDS } from "./facts/relays.ts";
import type { NoWrites } from "./facts/store-facts.ts";

/** Seconds from an instant to the database's clock; never negative. */
export function ageSecondsOf(at: string, asOf: string): number {
  return Math.max(0, (Date.parse(asOf) - Date.parse(at)) / 1000);
}

export function ageOf(at: string, asOf: string): string {
  return formatDuration(ageSecondsOf(at, asOf));
}

/** Time that programs have, once the database answers again, to connect and to say that they are alive. */
export const RECONNECTS_WITHIN_SECONDS = 10;
/** A relay that stopped because of its table tries again after a growing wait, up to 15 s. */
const GOES_ON_WITHIN_SECONDS = 20;

/** Within what time relays are to be heard after an outage. */
export function backWithinSeconds({ of }: NonNullable<DiagnosisInput["outage"]>): number {
  return of === "table" ? GOES_ON_WITHIN_SECONDS : RECONNECTS_WITHIN_SECONDS;
}

/**
 * True if a sign of life, due every `silentSeconds`, is missing because nobody reached the database: it was still given
 * when the outage began, and the outage ended a moment ago.
 */
export function isOfOutage({ outage, asOf }: DiagnosisInput, lastAt: string, silentSeconds: number): boolean {
  if (!outage || outage.endedSeconds >= backWithinSeconds(outage)) return false;
  return ageSecondsOf(lastAt, asOf) < silentSeconds + outage.seconds + outage.endedSeconds;
}

/** "limit 5 m"; 0 switches a limit off. */
export function describeLimit(seconds: number): string {
  return seconds > 0 ? `limit ${formatLimit(seconds)}` : "no limit";
}

/** "from 5 m"; 0 switches a limit off. */
export function fromLimit(seconds: number): string {
  return seconds > 0 ? `from ${formatLimit(seconds)}` : "switched off";
}

/** "4,812 messages", or "at least 10,000 messages" where counting stopped. */
export function formatMessages(count: number, capped = false): string {
  return `${capped ? "at least " : ""}${formatPlural(count, "message")}`;
}

/** "125 wait", "1 waits"; null when none waits or the number is unknown. */
export function waits(count: number | null, capped = false, estimated = false): string | null {
  if (count === null || count === 0) return null;
  return `${boundOf(capped, estimated)}${formatCount(count)} ${verb(count, "waits", "wait")}`;
}

/** Waiting messages of the whole outbox, as `waits`; "1 waits, not due yet" where all are scheduled for later. */
export function allWaits({ figures }: DiagnosisInput): string | null {
  if (!figures.waitingKnown) return null;
  const said = waits(figures.waiting, figures.waitingCapped, figures.waitingEstimated);
  if (said === null || !isNoneDue(figures)) return said;
  return `${said}, ${verb(figures.waiting, "not due yet", "none of them due yet")}`;
}

/** Whatever waits is scheduled for later. */
const isNoneDue = ({ oldestSeconds, agesKnown }: Figures) => agesKnown && oldestSeconds === null;

type Counted = Pick<CauseDraft, "messages" | "messagesCapped" | "messagesEstimated">;

/** The count of a cause that holds up whatever waits. */
export function heldUp({ figures }: DiagnosisInput): Counted {
  if (!figures.waitingKnown || figures.waiting === 0 || isNoneDue(figures)) return { messages: null };
  const { waiting, waitingCapped, waitingEstimated } = figures;
  return { messages: waiting, messagesCapped: waitingCapped, messagesEstimated: waitingEstimated };
}

/** No row can say what waits, and nothing hides it: another cause names who publishes the table. */
export function isUntoldByDesign({ settings, figures }: DiagnosisInput): boolean {
  return settings.untold && figures.unknownBecause === null;
}

/** True if more messages wait than those whose types and locks are read: what is found among these is a lower bound. */
export function waitMoreThanRead({ figures }: DiagnosisInput): boolean {
  return !figures.waitingKnown || figures.waitingCapped || figures.waiting > LOOKED_AT_WAITING;
}

/** `one` for a count of 1, otherwise `many`. */
export function verb(count: number, one: string, many: string): string {
  return count === 1 ? one : many;
}

/** "2026-11-21 02:51:07 UTC". */
export function formatInstant(at: string): string {
  return `${at.slice(0, 10)} ${at.slice(11, 19)} UTC`;
}

/** "02:51:07 UTC", with the date unless it is the day of `asOf`. */
export function formatSince(at: string, asOf: string): string {
  return at.slice(0, 10) === asOf.slice(0, 10) ? `${at.slice(11, 19)} UTC` : formatInstant(at);
}

export function before(asOf: string, seconds: number): string {
  return new Date(Date.parse(asOf) - seconds * 1000).toISOString();
}

export function messagesPath(outbox: string, params: Record<string, string>): string {
  return `/messages?${new URLSearchParams({ outbox, ...params })}`;
}

export function pagePath(
  page: "relays" | "settings" | "stuck" | "failures" | "storage" | "blocked",
  outbox: string,
): string {
  return `/${page}?${new URLSearchParams({ outbox })}`;
}

/** The check of an inbox against its outboxes. */
export function inboxPath(outbox: string, inbox: string): string {
  return `/inbox?${new URLSearchParams({ outbox, inbox })}`;
}

/** Evidence rows; labels without a value are left out. */
export function evidenceOf(entries: Record<string, string | null | undefined>): { label: string; value: string }[] {
  return Object.entries(entries).flatMap(([label, value]) => (value?.trim() ? [{ label, value }] : []));
}

const LONGEST_ERROR = 140;
/** In place of a text that is empty. */
const NO_TEXT = "without a message";
/** Control characters, and those that reverse what follows them: a sentence must read as it is written. */
const UNPRINTABLE = /[\p{Cc}\u200e\u200f\u202a-\u202e\u2028\u2029\u2066-\u2069]/gu;

/** Shortens a foreign error for use inside a sentence: its first line, without final punctuation, cut between words. */
export function shortError(text: string): string {
  const line = (text.split("\n", 1)[0] ?? "")
    .trim()
    .replace(/[.;:,\s]+$/, "")
    .replace(UNPRINTABLE, "\ufffd");
  if (line === "") return NO_TEXT;
  if (line.length <= LONGEST_ERROR) return line;
  const cut = cutText(line, LONGEST_ERROR);
  return `${cutText(cut, Math.max(cut.lastIndexOf(" "), LONGEST_ERROR - 40)).trimEnd()} …`;
}

/** Makes a sentence of a foreign text: its first line, with a full stop. */
export function endSentence(text: string): string {
  const line = (text.split("\n", 1)[0] ?? "").trim().replace(/[;:,\s]+$/, "");
  return /[.!?…]$/.test(line) ? line : `${line || NO_TEXT}.`;
}

/** "invoice.rendered", or "messages without a type". */
export function typeName(eventType: string | null): string {
  return eventType === null ? "messages without a type" : shortName(eventType);
}

const LONGEST_NAME = 80;
/** A name from a row, for use inside a sentence: rows may hold anything, at any length. An empty name is quoted. */
export function shortName(name: string): string {
  if (name.trim() === "") return JSON.stringify(cutText(name, LONGEST_NAME));
  const start = name.length > LONGEST_NAME ? `${cutText(name, LONGEST_NAME)} …` : name;
  return start.replace(UNPRINTABLE, "\ufffd");
}

/** Severity of a partial trouble: a failure once the oldest message is over its limit, unless the outbox is paused. */
export function byAge({ figures, facts }: DiagnosisInput): "warn" | "fail" {
  if (facts.relays?.pause) return "warn";
  return figures.judged.oldestPending === "fail" ? "fail" : "warn";
}

/** Longer than the age of a rate's sample: later publishes show only in a relay's heartbeat. */
const SAMPLED_SECONDS = 6;

/**
 * True if fewer messages wait than a few seconds ago. The rates are means of the last samples, in which a burst counts
 * as growth while it is already drained.
 */
export function isShrinking(figures: Figures): boolean {
  return shrunkBy(figures) > 0;
}

/** By how many messages what waits has become less since the newest sample; 0 if that is not known. */
export function shrunkBy({ waiting, waitingBefore, waitingCapped }: Figures): number {
  return waitingBefore === null || waitingCapped ? 0 : Math.max(0, waitingBefore - waiting);
}

/** Fewer than this may come within a sample without being a burst. */
const SURGE_FROM = 1000;

/**
 * True if many more wait than when the rates were sampled, and than came in at those rates since: the rates are of the
 * time before a burst, such as one large transaction, and say nothing of what waits.
 */
export function hasSurged({ waiting, waitingBefore, inPerSecond }: Figures): boolean {
  if (waitingBefore === null) return false;
  return waiting - waitingBefore > SURGE_FROM + 2 * SAMPLED_SECONDS * (inPerSecond ?? 0);
}

/**
 * By how many messages a second a backlog shrinks. The rates are means of the last samples, so a burst that began
 * within them drains faster than they say: by no less than the difference to the newest sample.
 */
export function drainPerSecond(figures: Figures): number {
  const { waiting, waitingBefore, inPerSecond, outPerSecond } = figures;
  const since = isShrinking(figures) ? ((waitingBefore ?? 0) - waiting) / SAMPLED_SECONDS : 0;
  return Math.max((outPerSecond ?? 0) - (inPerSecond ?? 0), since);
}

/** False if what waits is counted and has not become more: a sequence also counts inserts that were rolled back. */
export function mayGrow({ waiting, waitingBefore, waitingCapped }: Figures): boolean {
  return waitingBefore === null || waitingCapped || waiting > waitingBefore;
}

/**
 * The database refuses the heartbeat of a relay that runs: its counts and errors stand still, whatever it does. Null if
 * it is heard.
 */
export function unheard({ settings, facts, asOf }: DiagnosisInput): NoWrites | null {
  const instances = facts.relays?.instances ?? [];
  // A heartbeat that was just written: the relays use another database, or it takes writes.
  const isHeard = instances.some(({ heartbeatAt }) => ageSecondsOf(heartbeatAt, asOf) < SILENT_SOON_SECONDS);
  return settings.mode === "relay" && facts.readOnly && !isHeard ? facts.readOnly : null;
}

/** True if the publish rate is zero and no relay has published since it was sampled; false if it is unknown. */
export function nothingGoesOut(input: DiagnosisInput): boolean {
  const { figures, facts, asOf } = input;
  if (unheard(input)?.leased) return false;
  const published = (facts.relays?.instances ?? []).some(
    ({ lastPublishedAt: at }) => at !== null && ageSecondsOf(at, asOf) < SAMPLED_SECONDS,
  );
  return figures.outPerSecond === 0 && !published;
}

/** False where another program publishes and its table records failures, or no column names an aggregate. */
export function readsHeads({ settings, facts }: DiagnosisInput): boolean {
  return settings.mode === "relay" && facts.blocked !== null;
}

/** Evidence: the last error of a relay, and when it had it, because it may be over. */
export function lastErrorOf(relay: { lastError: string | null; lastErrorAt: string | null } | undefined) {
  const { lastError = null, lastErrorAt = null } = relay ?? {};
  return {
    "Last error": lastError,
    "Last error at": lastError !== null && lastErrorAt !== null ? formatInstant(lastErrorAt) : null,
  };
}

/** The name of another session: "billing-report (pid 77)". */
export function sessionName(holder: {
  pid: number | null;
  applicationName: string | null;
  user: string | null;
}): string {
  const who = holder.applicationName ?? holder.user ?? "unnamed session";
  return holder.pid === null ? who : `${who} (pid ${holder.pid})`;
}

/** Identifies who holds a transaction open, the same for every cause that names it. */
export function transactionKey({ pid, preparedId }: { pid: number | null; preparedId?: string | null }): string {
  return preparedId == null ? `pid ${pid}` : `prepared ${preparedId}`;
}

/** The session, or the prepared transaction that belongs to none. */
export function transactionName(holder: Parameters<typeof sessionName>[0] & { preparedId?: string | null }): string {
  return holder.preparedId == null ? sessionName(holder) : `the prepared transaction ${holder.preparedId}`;
}

/**
 * How a prepared transaction is ended. Its other databases may have committed their part; a rollback here would then
 * lose what it wrote.
 */
export function endPreparedStep({ endStatement, namesStatement }: Ending): string {
  const name = namesStatement === undefined ? "" : `find its name with \`${namesStatement}\`. With that name `;
  const commit = endStatement.replace("ROLLBACK", "COMMIT");
  return `Find the transaction manager that prepared it, and let it finish. If that is gone permanently, ${name}\`${commit}\` ends the transaction where its other databases have committed theirs, and \`${endStatement}\` where they have not`;
}

/** How a transaction is ended, as a lock holder or an old transaction says it. */
interface Ending {
  endStatement: string;
  namesStatement?: string;
}

/** What becomes of messages that our relay did not get from the log. */
export const MISSED_BY_LOG =
  "A relay that marks rows finds them in the table, later than by the log. With mark: none it does not: find in the table the unpublished rows that were committed in that time.";

/** Completes "3 messages": what becomes of failed ones, as far as it is known. */
export function failedAndThen(meaning: FailedMeaning): string {
  switch (meaning) {
    case "retried":
      return "failed and will be tried again";
    case "final":
      return "failed and will not be tried again until someone acts";
    case "unknown":
      return "failed; whether they are tried again is not known";
  }
}
