import type { Records } from "#db/records/records.ts";
import { CAUSE_CODES } from "#domain/diagnosis/words.ts";
import type { AppError } from "#domain/errors.ts";
import { sentence } from "#domain/format.ts";
import type { Mode } from "#domain/operator.ts";
import { publishesNothing, unreadableVerdict } from "../outboxes/unreadable-verdict.ts";
import { partsOfError } from "../stores/outbox-stop.ts";
import { silentSinceOf } from "../stores/store-guard.ts";

/** Nothing is known about any rule but this one: their earlier findings stay as they are. */
const RULE = "mapping";
const KEY = "unreadable";
const UNREAD = CAUSE_CODES.filter((code) => code !== RULE);

/**
 * Stores as a finding that an outbox cannot be read, in the words of the list and of health. The finding ends with the
 * first successful reading.
 */
export async function recordUnreadable(input: {
  records: Records;
  outbox: { name: string; mode: Mode };
  error: Pick<AppError, "code" | "message" | "details">;
  /** Warn where the table was only discovered. */
  status: "warn" | "fail";
}): Promise<void> {
  const { records, outbox, error, status } = input;
  const { name, mode } = outbox;
  const since = silentSinceOf(error);
  const stopsRelay = publishesNothing(error, mode);
  const verdict = unreadableVerdict({
    outbox: name,
    publishesNothing: stopsRelay,
    ...partsOfError(error),
    status,
    since,
  });
  const { next, evidence, title } = verdict;
  const [cause] = verdict.causes;
  if (!cause) return;
  const { id: _id, rule, since: _since, ...known } = cause;
  const detail = {
    ...{ ...known, title, subject: name, diagnosis: sentence(error.message) },
    ...{ nextStep: evidence, href: next?.href ?? null, aggregates: null, evidence: [] },
  };
  await records.keepFindings({ outbox: name, findings: [{ rule, subject: KEY, since, detail }], unread: UNREAD });
}
