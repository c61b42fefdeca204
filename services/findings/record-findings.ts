import type { Records } from "#db/records/records.ts";
import type { Cause } from "#domain/diagnosis/cause.ts";
import type { CauseCode } from "#domain/diagnosis/words.ts";
import { toFinding } from "../diagnosis/to-contract.ts";

/** Stores the findings of one check of an outbox: opens, continues and closes findings in one transaction. */
export async function recordFindings(input: {
  records: Records;
  outbox: string;
  causes: readonly Cause[];
  /** Rules that could not be judged: their findings stay as they are. */
  unread: readonly CauseCode[];
}): Promise<void> {
  const { records, outbox, causes, unread } = input;
  const findings = causes.map((cause) => {
    const { id: _id, outbox: _outbox, rule, since, ...detail } = toFinding(outbox, cause);
    return { rule, subject: cause.key, since, detail };
  });
  await records.keepFindings({ outbox, findings, unread: [...unread] });
}
