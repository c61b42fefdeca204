import { formatCount, formatPlural } from "../../format.ts";
import { ourCommand } from "../../text/our-command.ts";
import type { CauseDraft, DiagnosisInput, Rule } from "../cause.ts";
import type { NumberedColumn } from "../facts/table.ts";
import { evidenceOf, pagePath } from "../phrases.ts";

/** Of the smallest common type, an integer of 32 bits, these are 430 million. */
const WARN_SHARE = 0.2;

export const numbersRunOut: Rule = {
  rule: "numbers_run_out",
  title: "Numbers run out",
  definition:
    "A column that the database numbers (identity, sequence, AUTO_INCREMENT) has used up most of its range. At its end every insert that takes the next number fails, and the producer's business transaction with it.",
  threshold: () => `less than ${WARN_SHARE * 100} % of the range left; failure when none is`,
  needs: ["numberedColumns"],
  isComplete: ({ facts }) => facts.numberedColumns?.every(({ left }) => left !== null) !== false,
  evaluate: (input) =>
    (input.facts.numberedColumns ?? []).flatMap((column) => {
      const { left, total } = column;
      return left === null || left >= total * WARN_SHARE ? [] : [draft(input, { ...column, left })];
    }),
};

function draft({ settings }: DiagnosisInput, column: NumberedColumn & { left: number }): CauseDraft {
  const { column: name, type, left, total, counter, limitedBy } = column;
  const over = left === 0;
  return {
    key: name,
    word: "at_risk",
    severity: over ? "fail" : "warn",
    title: "Numbers run out",
    subject: name,
    what: over
      ? `no number is left for ${name} (${type}), and an insert that takes the next one fails`
      : `${name} (${type}) has ${formatPlural(left, "number")} left, ${shareOf(left, total)} of its range; after that, inserts fail`,
    saysSince: false,
    diagnosis: `${limitedBy === "type" ? "The largest number of the column's type ends the range." : `The limit of ${counter} ends the range, before that of the column's type.`} ${over ? "A business transaction that inserts into the table fails, too; what is in the table is delivered." : "Once it is reached, a business transaction that inserts into the table fails, too."}`,
    nextStep: nextStep(settings, column),
    next: { label: "See the table", path: pagePath("storage", settings.outbox) },
    ...{ messages: null, aggregates: null, since: null },
    evidence: evidenceOf({
      Column: `${name} (${type})`,
      Counter: counter,
      Left: `${formatCount(left)} of ${formatCount(total)}`,
      SQL: column.widenStatement,
    }),
  };
}

function nextStep({ mode, outbox }: DiagnosisInput["settings"], { limitedBy, widenStatement }: NumberedColumn): string {
  if (widenStatement === null) return "No larger type exists: move to a new table whose numbering starts again.";
  if (limitedBy === "counter") return `Raise the limit as the table's owner: ${widenStatement}.`;
  const accept =
    mode === "observe"
      ? ""
      : ` If the column is mapped, publishing and actions stop until the new type is accepted: ${ourCommand("migrate", `--accept-mapping ${outbox}`)}.`;
  return `As the table's owner, widen the column: ${widenStatement}. The statement rewrites the table and locks it until it ends, so remove published rows first.${accept}`;
}

function shareOf(left: number, total: number): string {
  const percent = (left / total) * 100;
  return percent < 1 ? "less than 1 %" : `${Math.floor(percent)} %`;
}
