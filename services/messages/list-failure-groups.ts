import type { FailureGroup, FailureGroupList } from "#contracts/messages.ts";
import {
  type FailureGroupRow,
  listNativeFailures,
  NATIVE_FAILURES_READ,
  type NativeFailure,
  listFailureGroups as readGroups,
} from "#db/outbox/postgres/failure-groups.ts";
import { databaseClock } from "#db/outbox/postgres/read-waiting.ts";
import { toDatabaseError } from "#db/postgres/database-error.ts";
import { withReadTransaction } from "#db/postgres/transaction.ts";
import { nextStepOfFailure } from "#domain/diagnosis/causes/dead-letters.ts";
import { FAILURE_CODES, type FailureCode } from "#domain/failure.ts";
import { fingerprint, normaliseError } from "#domain/fingerprint.ts";
import { outboxRef } from "../outboxes/outbox-ref.ts";
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

/** Failed and dead messages by cause. `complete` is false where only a part could be grouped. */
export async function listFailureGroups(input: { runtime: Runtime; outbox: string }): Promise<FailureGroupList> {
  const handle = await input.runtime.outbox(input.outbox);
  const ref = outboxRef(handle);
  try {
    return await withReadTransaction(handle.store.browse, 3000, async (client) => {
      const rows = await readGroups(client, ref);
      const native = rows.length > 0 ? [] : await listNativeFailures(client, ref);
      const groups = rows.length > 0 ? rows.map(toGroup) : groupNative(native ?? []);
      return {
        groups,
        asOf: await databaseClock(client),
        complete: !handle.catalog.rowSecurity && native !== null && native.length < NATIVE_FAILURES_READ,
      };
    });
  } catch (error) {
    throw toDatabaseError(error, `outbox ${handle.name}`);
  }
}

function toGroup(row: FailureGroupRow): FailureGroup {
  const code = row.code ?? "unknown";
  const eventTypes = row.eventTypes.filter((type) => type !== "");
  const text = normaliseError(row.text ?? "");
  return { ...row, code, title: titleOf(code), text, eventTypes, nextStep: nextStepOfFailure(code, row.text ?? "") };
}

/** Rows of a table that keeps its own error text have no code and no times of failing. */
function groupNative(failures: readonly NativeFailure[]): FailureGroup[] {
  const groups = new Map<string, NativeFailure[]>();
  for (const failure of failures) {
    if (!failure.lastError) continue;
    const key = fingerprint({ code: "unknown", error: failure.lastError, eventType: failure.eventType });
    groups.set(key, [...(groups.get(key) ?? []), failure]);
  }
  return [...groups]
    .map(([key, members]): FailureGroup => {
      const [sample] = members;
      const dead = members.filter((member) => member.state === "dead").length;
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
