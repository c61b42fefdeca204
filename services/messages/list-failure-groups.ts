import type { FailureGroup, FailureGroupList } from "#contracts/messages.ts";
import type { FailureGroupRow, NativeFailure } from "#db/stores/port/failure-groups.ts";
import { nextStepOfFailure } from "#domain/diagnosis/causes/dead-letters.ts";
import { FAILURE_CODES, type FailureCode } from "#domain/failure.ts";
import { fingerprint, normaliseError } from "#domain/fingerprint.ts";
import { outboxOf } from "../outboxes/outbox-of.ts";
import type { Runtime } from "../runtime.ts";

const TITLES: Record<FailureCode, string> = {
  unreachable: "Sink unreachable",
  auth: "Sink refuses our credentials",
  throttled: "Sink throttles",
  unavailable: "Sink unavailable",
  timeout: "Timed out",
  server_error: "Consumer error",
  too_large: "Payload over limit",
  rejected: "Rejected by the consumer",
  unroutable: "Unroutable",
  serialisation: "Cannot be serialised",
  crash: "Crashed the relay",
  unknown: "Failed",
};

/** Whatever a table says that names its own codes. */
function titleOf(code: string): string {
  return FAILURE_CODES.some((known) => known === code) ? TITLES[code as FailureCode] : TITLES.unknown;
}

/** Failed and dead messages by cause. Of many the newest are grouped: `read` says how many, `complete` whether that is all. */
export async function listFailureGroups(input: { runtime: Runtime; outbox: string }): Promise<FailureGroupList> {
  const handle = await input.runtime.outbox(input.outbox);
  const { grouped, native, complete, ...read } = await outboxOf(handle).read.failures();
  const groups = grouped.length > 0 ? grouped.map(toGroup) : groupNative(native);
  return { groups, ...read, complete: complete && !handle.catalog.rowSecurity };
}

function toGroup(row: FailureGroupRow): FailureGroup {
  const code = row.code ?? "unknown";
  const eventTypes = row.eventTypes.filter((type) => type !== "");
  const text = normaliseError(row.text ?? "");
  return { ...row, code, title: titleOf(code), text, eventTypes, nextStep: nextStepOfFailure(code, row.text ?? "") };
}

/** Characters that may be a status, in which each digit counts. */
const STATUS_CHARACTERS = 8;

/**
 * A text with every digit behind its status made the same. Texts of one shape have one fingerprint, which asks where digits
 * stand and not which; finding a fingerprint costs more than reading the row.
 */
function shapeOf(error: string): string {
  return error.slice(0, STATUS_CHARACTERS) + error.slice(STATUS_CHARACTERS).replace(/\d/g, "0");
}

/** Rows of a table that keeps its own error text have no code and no times of failing. */
function groupNative(failures: readonly NativeFailure[]): FailureGroup[] {
  const groups = new Map<string, NativeFailure[]>();
  const known = new Map<string, string>();
  for (const failure of failures) {
    const { lastError, eventType } = failure;
    if (!lastError) continue;
    const text = `${eventType}\n${shapeOf(lastError)}`;
    const key = known.get(text) ?? fingerprint({ code: "unknown", error: lastError, eventType });
    known.set(text, key);
    const members = groups.get(key);
    if (members) members.push(failure);
    else groups.set(key, [failure]);
  }
  return [...groups]
    .map(([key, members]): FailureGroup => {
      const [sample] = members;
      const dead = members.filter((member) => member.dead).length;
      return {
        fingerprint: key,
        code: "unknown",
        title: "Failed",
        text: normaliseError(sample?.lastError ?? ""),
        eventTypes: sample?.eventType ? [sample.eventType] : [],
        messages: members.length,
        failed: members.length - dead,
        dead,
        aggregates: new Set(members.map((member) => member.aggregateId)).size,
        firstSeenAt: null,
        lastSeenAt: null,
        sampleId: sample?.id ?? "",
        nextStep: null,
      };
    })
    .sort((a, b) => b.messages - a.messages);
}
