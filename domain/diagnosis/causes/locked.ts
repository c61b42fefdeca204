import { formatLimit, formatPlural } from "../../format.ts";
import type { CauseDraft, DiagnosisInput, Rule } from "../cause.ts";
import type { LockHolder } from "../facts/sessions.ts";
import {
  ageOf,
  ageSecondsOf,
  allWaits,
  byAge,
  endPreparedStep,
  evidenceOf,
  formatInstant,
  heldUp,
  nothingGoesOut,
  pagePath,
  transactionKey,
  transactionName,
  verb,
  waitMoreThanRead,
} from "../phrases.ts";

export const locked: Rule = {
  rule: "locked",
  title: "Locked by another session",
  definition:
    "Another session's transaction, or a prepared one, holds locks on waiting messages, or on the whole table, so that nobody else can mark them.",
  threshold: (settings) =>
    `held for more than ${formatLimit(settings.lockHeldSeconds)}, with locked rows or sessions waiting for it; a failure once the age limit is reached`,
  needs: ["lockHolders"],
  // A holder whose rows could not be checked may hold waiting ones.
  isComplete: ({ facts }) => (facts.lockHolders ?? []).every((holder) => holder.rows !== null || isHarmful(holder)),
  evaluate: (input) => (input.facts.lockHolders ?? []).filter(isHarmful).map((holder) => draftOf(input, holder)),
};

/**
 * True if the holder blocks a session, locks the whole table or holds waiting rows. Producers' own locks are harmless.
 */
export function isHarmful(holder: LockHolder): boolean {
  return (holder.rows ?? 0) > 0 || holder.blockedPids.length > 0 || holder.wholeTable;
}

/**
 * While the whole table is locked, message ages may be unreadable, so the lock's age is compared with the failure
 * limit.
 */
function severityOf(input: DiagnosisInput, holder: LockHolder): "warn" | "fail" {
  const { failSeconds } = input.settings;
  const tooLong = failSeconds > 0 && ageSecondsOf(holder.transactionAt, input.asOf) >= failSeconds;
  return holder.wholeTable && tooLong ? "fail" : byAge(input);
}

interface Told {
  title: string;
  held: string;
  story: string;
  /** What can be done besides asking the holder's owner. */
  first?: string;
}

function tellHolder(input: DiagnosisInput, holder: LockHolder, name: string, open: string): Told {
  const what = holder.wholeTable
    ? "the whole outbox table"
    : holder.rows
      ? `${waitMoreThanRead(input) ? "at least " : ""}${formatPlural(holder.rows, "waiting row")}`
      : "rows of the outbox";
  const blocked = holder.blockedPids.length;
  const waiting = blocked > 0 ? ` ${blockedText(holder)}.` : "";
  return {
    title: holder.wholeTable ? "Table locked" : "Rows locked",
    held: `${name} holds ${what} locked`,
    story: `${subjectOf(holder, name)} has locked ${what}${open}.${waiting} ${nothingWaits(input) ? "Sessions that wait for it, such as producers adding a message, are blocked until it ends" : "The relay cannot mark these messages as published until it ends"}.`,
  };
}

function nothingWaits({ figures }: DiagnosisInput): boolean {
  return figures.waitingKnown && figures.waiting === 0;
}

/** A session that holds nothing of the outbox, only what a trigger of its table needs. */
function tellElsewhere(what: string, holder: LockHolder, name: string, open: string): Told {
  return {
    title: "Marks wait for a lock",
    held: `${name} holds ${what} locked, which the relay needs to mark what it has published`,
    story: `${subjectOf(holder, name)} has locked ${what}${open}. A trigger or a foreign key of the outbox table needs ${what} with each mark, so the relay cannot mark messages as published until it ends.`,
  };
}

function tellOf(input: DiagnosisInput, holder: LockHolder, name: string): Told {
  const open = openSince(holder, ageOf(holder.transactionAt, input.asOf));
  const { queuedSessions = [], elsewhere } = holder;
  if (elsewhere !== undefined) return tellElsewhere(elsewhere, holder, name, open);
  return queuedSessions.length > 0
    ? tellQueue(queuedSessions, holder, name, open)
    : tellHolder(input, holder, name, open);
}

/** A session that is harmful only because others wait behind it for the whole table. */
function tellQueue(queue: readonly string[], holder: LockHolder, name: string, open: string): Told {
  const names = queue.join(" and ");
  const one = queue.length === 1;
  const has = holder.preparedId === undefined ? "has a transaction open" : "is open";
  return {
    title: "Lock queue on the table",
    held: `${names} ${one ? "waits" : "wait"} for a lock on the whole outbox table, and every other session queues behind ${one ? "it" : "them"}, because ${name} ${has}`,
    story: `${subjectOf(holder, name)} has used the outbox table${open}. ${names} ${one ? "waits" : "wait"} for it with ${one ? "a lock" : "locks"} on the whole table, and every other session, the relay's too, waits behind ${one ? "that request" : "those requests"}.`,
    first: `Cancel the ${one ? "statement" : "statements"} of ${names}, so that the others continue; ${one ? "it" : "they"} can run again later.`,
  };
}

function openSince({ preparedId, unlockStatement, state }: LockHolder, age: string): string {
  if (unlockStatement !== undefined)
    return ` for at least ${age}${state === "idle in transaction" ? " and is idle now" : ""}`;
  if (preparedId !== undefined) return `; it has been open for at least ${age}`;
  return ` in a transaction that has been open for ${age}${state === "idle in transaction" ? " and is idle now" : ""}`;
}

function subjectOf({ preparedId }: LockHolder, name: string): string {
  return preparedId === undefined
    ? `The session ${name}`
    : `The prepared transaction ${preparedId}, which belongs to no session,`;
}

/** A prepared transaction outlives its session and a restart of the server. */
function nextStepOf(holder: LockHolder, first?: string): string {
  const { preparedId, applicationName, user, endStatement, unlockStatement } = holder;
  const undone = "has written is rolled back, and no committed message is lost.";
  const before = first === undefined ? "" : `${first} `;
  if (preparedId !== undefined) return `${before}${endPreparedStep(holder)}: what it ${undone}`;
  const ask = `${first === undefined ? "Ask" : "Or ask"} the owner of ${applicationName ?? user ?? "the session"} to ${unlockStatement === undefined ? "commit or roll back" : `run \`${unlockStatement}\``}`;
  return `${before}${ask}. If nobody answers, \`${endStatement}\` ends it: what its transaction ${undone}`;
}

/** The whole table's lock holds up all that waits; of sessions that merely wait for the holder no message is known. */
function heldByLock(input: DiagnosisInput, holder: LockHolder): Pick<CauseDraft, "messages" | "messagesCapped"> {
  if (holder.wholeTable || holder.elsewhere !== undefined) return heldUp(input);
  return { messages: holder.rows || null, messagesCapped: waitMoreThanRead(input) };
}

function lockedText(input: DiagnosisInput, { wholeTable, rows }: LockHolder): string {
  if (wholeTable) return "all";
  if (rows === null) return "could not be counted";
  return `${rows > 0 && waitMoreThanRead(input) ? "at least " : ""}${rows}`;
}

/** While nothing waits to be sent, nothing is late: producers that stand still add no message. */
function wordOf(input: DiagnosisInput, { wholeTable }: LockHolder): CauseDraft["word"] {
  if (wholeTable || nothingGoesOut(input)) return "not_delivering";
  return nothingWaits(input) ? "at_risk" : "in_part";
}

function blockedText({ blockedPids: { length } }: LockHolder): string | null {
  return length === 0 ? null : `${formatPlural(length, "session")} ${verb(length, "waits", "wait")} for it`;
}

function draftOf(input: DiagnosisInput, holder: LockHolder): CauseDraft {
  const { settings, asOf } = input;
  const age = ageOf(holder.transactionAt, asOf);
  const session = transactionName(holder);
  const queue = holder.queuedSessions ?? [];
  const told = tellOf(input, holder, session);
  return {
    key: transactionKey(holder),
    word: wordOf(input, holder),
    severity: severityOf(input, holder),
    title: told.title,
    subject: session,
    what: told.held,
    clauses: [nothingWaits(input) ? blockedText(holder) : allWaits(input)],
    diagnosis: told.story,
    nextStep: nextStepOf(holder, told.first),
    next: { label: `See the session: ${session.replace(/^the /, "")}`, path: pagePath("stuck", settings.outbox) },
    ...heldByLock(input, holder),
    aggregates: null,
    since: holder.transactionAt,
    evidence: evidenceOf({
      Session: holder.pid === null ? null : `pid ${holder.pid}, user ${holder.user ?? "unknown"}`,
      "Prepared transaction": holder.preparedId,
      Application: holder.applicationName,
      From: holder.clientAddress,
      State: holder.state,
      "Transaction open": `${age}, since ${formatInstant(holder.transactionAt)}`,
      "Last statement": holder.query,
      "Statement began": holder.queryAt ? formatInstant(holder.queryAt) : null,
      "Strongest lock": holder.mode,
      "Queued for the table": queue.length > 0 ? queue.join(", ") : null,
      "Needed for marks": holder.elsewhere,
      "Locked messages": holder.elsewhere === undefined ? lockedText(input, holder) : null,
      "Sessions waiting": holder.blockedPids.map((pid) => `pid ${pid}`).join(", "),
    }),
  };
}
