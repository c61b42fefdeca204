import type { FindingList } from "#contracts/watch/findings.ts";
import { RULES } from "#domain/diagnosis/rules.ts";
import { settingsOf } from "../diagnosis/settings-of.ts";
import { toFinding } from "../diagnosis/to-contract.ts";
import { examineOutbox } from "../outboxes/take-snapshot.ts";
import type { Runtime } from "../runtime.ts";

/**
 * Findings of an outbox, worst first, and the rules checked; from the same reading as the snapshot, so the first
 * finding is the cause that banner and health name. Throws: not_found; unavailable.
 */
export async function listFindings(input: { runtime: Runtime; outbox: string }): Promise<FindingList> {
  const { snapshot, causes, unread } = await examineOutbox(input);
  const handle = await input.runtime.outbox(input.outbox);
  const settings = settingsOf(handle);
  return {
    findings: causes.map((cause) => toFinding(handle.name, cause)),
    verdict: snapshot.verdict,
    checked: RULES.filter(({ rule }) => !unread.includes(rule)).map(({ rule, title, definition, threshold }) => ({
      rule,
      title,
      definition,
      threshold: threshold(settings),
    })),
    unchecked: RULES.filter(({ rule }) => unread.includes(rule)).map(({ rule, title, definition }) => ({
      rule,
      title,
      definition,
    })),
    asOf: snapshot.asOf,
  };
}
