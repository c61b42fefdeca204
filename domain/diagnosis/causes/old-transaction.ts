import { formatLimit } from "../../format.ts";
import type { CauseDraft, DiagnosisInput, Rule } from "../cause.ts";
import type { OldTransaction } from "../facts/sessions.ts";
import { endPreparedStep, evidenceOf, formatInstant, pagePath, transactionKey, transactionName } from "../phrases.ts";

export const oldTransaction: Rule = {
  rule: "old_transaction",
  title: "Old transaction",
  definition:
    "A transaction has been open for a long time in this database. It keeps the server from removing old versions of rows; if it has written, its outbox rows appear only when it commits.",
  threshold: (settings) => `open for more than ${formatLimit(settings.oldTransactionSeconds)}`,
  needs: ["oldTransactions"],
  evaluate: (input) => (input.facts.oldTransactions ?? []).map((one) => draftOf(input, one)),
};

function draftOf({ settings }: DiagnosisInput, one: OldTransaction): CauseDraft {
  const prepared = one.preparedId !== null;
  const name = transactionName(one);
  const effect = one.holdsBackNewRows
    ? "It has written. Outbox rows that it adds appear only when it commits, later than their place in the order, and until then the server cannot remove row versions that are newer than this transaction."
    : "It only reads, but keeps the server from removing row versions newer than its snapshot, and old versions slow down every claim.";
  return {
    key: transactionKey(one),
    word: "at_risk",
    severity: "warn",
    title: "Old transaction",
    subject: name,
    what: prepared
      ? `${name} has been open`
      : `${name} has a transaction open${one.state === "idle in transaction" ? " and idle" : ""}`,
    clauses: [
      one.holdsBackNewRows
        ? "it holds back new rows and the removal of old ones"
        : "it holds back the removal of old rows",
    ],
    diagnosis: effect,
    nextStep: prepared
      ? `${endPreparedStep(one)}.`
      : `Ask its owner to commit or roll back; \`${one.endStatement}\` ends it and rolls it back. ${one.holdsBackNewRows ? "What it has written is undone, its own messages included; no" : "No"} committed message is lost.`,
    next: { label: `See the session: ${name.replace(/^the /, "")}`, path: pagePath("stuck", settings.outbox) },
    messages: null,
    aggregates: null,
    since: one.transactionAt,
    evidence: evidenceOf({
      Session: one.pid === null ? null : `pid ${one.pid}, user ${one.user ?? "unknown"}`,
      Application: one.applicationName,
      State: one.state,
      "Open since": formatInstant(one.transactionAt),
      "Last statement": one.query,
      "Has written": one.holdsBackNewRows ? "yes" : "no",
    }),
  };
}
