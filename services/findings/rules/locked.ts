import type { LockHolder } from "#db/watchdog/facts.ts";
import { formatDuration, formatPlural } from "#domain/format.ts";
import type { FindingDraft, Rule, RuleInput } from "../rule.ts";
import { ageOf, evidenceOf, formatInstant, formatMessages, verb } from "../rule-words.ts";

const TABLE_LOCKS = ["AccessExclusiveLock", "ExclusiveLock", "ShareRowExclusiveLock", "ShareLock"];

export const locked: Rule = {
  rule: "locked",
  title: "Locked by another session",
  definition:
    "A foreign transaction holds locks on waiting messages, or on the whole table, so nobody else can mark them.",
  threshold: (settings) =>
    `held for more than ${formatDuration(settings.lockHeldSeconds)}, with locked rows or sessions waiting for it`,
  needs: ["lockHolders"],
  evaluate: (input) => (input.facts.lockHolders ?? []).filter(isHarmful).map((holder) => draftOf(input, holder)),
};

/** Producers hold harmless locks on the table too; these keep others waiting, or hold rows that are to be sent. */
function isHarmful(holder: LockHolder): boolean {
  return (holder.rows ?? 0) > 0 || holder.blockedPids.length > 0 || TABLE_LOCKS.includes(holder.mode);
}

export function sessionName(holder: {
  pid: number | null;
  applicationName: string | null;
  user: string | null;
}): string {
  const who = holder.applicationName ?? holder.user ?? "unnamed session";
  return holder.pid === null ? who : `${who} (pid ${holder.pid})`;
}

function draftOf({ facts, asOf }: RuleInput, holder: LockHolder): FindingDraft {
  const age = ageOf(holder.transactionAt, asOf);
  const session = sessionName(holder);
  const table = TABLE_LOCKS.includes(holder.mode);
  const what = table
    ? "the whole outbox table"
    : holder.rows
      ? formatPlural(holder.rows, "waiting message")
      : "rows of the outbox";
  const idle = holder.state === "idle in transaction" ? ", and is doing nothing at this moment" : "";
  const blocks =
    holder.blockedPids.length > 0
      ? ` ${formatPlural(holder.blockedPids.length, "session")} ${verb(holder.blockedPids.length, "waits", "wait")} for it.`
      : "";
  const due = facts.waiting ? formatMessages(facts.waiting.due, facts.waiting.capped) : null;
  return {
    key: `pid ${holder.pid}`,
    severity: holder.blockedPids.length > 0 || table || (holder.rows ?? 0) > 0 ? "fail" : "warn",
    title: table ? "Table locked" : "Rows locked",
    subject: session,
    diagnosis: `The session ${session} has locked ${what} in a transaction that has been open for ${age}${idle}.${blocks} The relay cannot mark these messages published until it ends.`,
    nextStep: `Ask the owner of ${holder.applicationName ?? holder.user ?? "the session"} to commit or roll back. If nobody answers, \`SELECT pg_terminate_backend(${holder.pid})\` ends it: its transaction is rolled back, no message is lost.`,
    href: null,
    messages: holder.rows,
    aggregates: null,
    since: holder.transactionAt,
    evidence: evidenceOf({
      Session: `pid ${holder.pid}, user ${holder.user ?? "unknown"}`,
      Application: holder.applicationName,
      From: holder.clientAddress,
      State: holder.state,
      "Transaction open": `${age}, since ${formatInstant(holder.transactionAt)}`,
      "Last statement": holder.query,
      "Statement began": holder.queryAt ? formatInstant(holder.queryAt) : null,
      "Strongest lock": holder.mode,
      "Locked messages": holder.rows === null ? "could not be counted" : String(holder.rows),
      "Messages waiting in all": due,
      "Sessions waiting": holder.blockedPids.join(", "),
    }),
  };
}
