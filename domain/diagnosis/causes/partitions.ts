import { formatCount, formatDuration, formatPlural } from "../../format.ts";
import type { CauseDraft, DiagnosisInput, Rule } from "../cause.ts";
import type { PartitionFacts } from "../facts/table.ts";
import { evidenceOf, pagePath } from "../phrases.ts";

const WEEK_SECONDS = 7 * 86_400;
const WANTED_AHEAD = 3;

export const partitions: Rule = {
  rule: "partitions",
  title: "Partitions",
  definition:
    "The table's partitions by time run out or one of them is missing, rows have gone into the default partition, or a detach was not finished.",
  threshold: () => `fewer than ${WANTED_AHEAD} partitions ahead and less than 7 d of room`,
  needs: ["partitions"],
  evaluate: (input) => {
    const { partitions: facts } = input.facts;
    if (!facts) return [];
    return [...detaching(input, facts), ...runway(input, facts), ...defaultRows(input, facts)];
  },
};

function detaching({ settings }: DiagnosisInput, { detaching: names }: PartitionFacts): CauseDraft[] {
  return names.map((name) => ({
    ...base(settings.outbox, `detaching ${name}`, name),
    severity: "fail",
    title: "Detach not finished",
    what: `the detach of partition ${name} is not finished, and inserts into its range fail`,
    diagnosis: "A business transaction that inserts into it fails, too.",
    nextStep: `Finish it as the table's owner: ALTER TABLE … DETACH PARTITION ${name} FINALIZE.`,
    evidence: evidenceOf({ Partition: name }),
  }));
}

function runway({ settings }: DiagnosisInput, facts: PartitionFacts): CauseDraft[] {
  const { ahead, runwaySeconds, hasDefault, managedBy } = facts;
  if (runwaySeconds === null || ahead >= WANTED_AHEAD || runwaySeconds > WEEK_SECONDS) return [];
  const over = runwaySeconds === 0;
  const then = hasDefault ? "go into the default partition" : "are refused";
  return [
    {
      ...base(settings.outbox, "runway", `${ahead} ahead`),
      severity: over && !hasDefault ? "fail" : "warn",
      title: "Partitions run out",
      what: over
        ? `no partition takes new rows, and they ${then}`
        : `there are partitions for the next ${formatDuration(runwaySeconds)}, and then new rows ${then}`,
      diagnosis: `${over ? "A row of now fits no partition, because the last one has ended or one is missing." : `${formatPlural(ahead, "partition follows", "partitions follow")} the current one without a gap.`} ${managedBy === null ? "Nothing is known here to create more." : `${managedBy} creates them; see whether it runs.`}`,
      nextStep: over
        ? "Create the missing partition, or attach it again if it was detached. The worker creates later ones: set retention.partitions.ahead in outbox.yaml."
        : "Create partitions, or let the worker do it: set retention.partitions.ahead in outbox.yaml.",
      evidence: evidenceOf({ Ahead: String(ahead), Room: formatDuration(runwaySeconds), "Managed by": managedBy }),
    },
  ];
}

function defaultRows({ settings }: DiagnosisInput, { defaultRows: rows }: PartitionFacts): CauseDraft[] {
  if (rows === null || rows === 0) return [];
  return [
    {
      ...base(settings.outbox, "default", "the default partition"),
      severity: "warn",
      title: "Rows in the default partition",
      what: `about ${formatPlural(rows, "row is", "rows are")} in the default partition`,
      diagnosis:
        "No other partition takes these rows. A partition for their range cannot be created while they are there, and creating any other one reads them all.",
      nextStep: "Move them into partitions of their own, as the table's owner.",
      evidence: evidenceOf({ Rows: formatCount(rows) }),
    },
  ];
}

function base(outbox: string, key: string, subject: string) {
  return {
    ...{ key, subject, word: "at_risk" as const, saysSince: false as const },
    next: { label: "See the partitions", path: pagePath("storage", outbox) },
    ...{ messages: null, aggregates: null, since: null },
  };
}
