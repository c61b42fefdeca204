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

/** Title of a failure code; a code that the team's table defines gets the generic one. */
function titleOf(code: string): string {
  return FAILURE_CODES.some((known) => known === code) ? TITLES[code as FailureCode] : TITLES.unknown;
}

/**
 * Failed and dead messages by cause. Groups what the store read: `read` is their number, `complete` is true if there
 * are no others.
 */
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

/** Leading characters that may contain a status, in which each digit counts. */
const STATUS_CHARACTERS = 8;

/**
 * Replaces every digit after the status, as a cache key: texts of one shape have the same fingerprint, and computing a
 * fingerprint costs more than reading the row.
 */
function shapeOf(error: string): string {
  return error.slice(0, STATUS_CHARACTERS) + error.slice(STATUS_CHARACTERS).replace(/\d/g, "0");
}

/** Groups rows of a table that keeps its own error text; they have no code and no failure times. */
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
