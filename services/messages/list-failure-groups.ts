import type { FailureGroup, FailureGroupList } from "#contracts/messages.ts";
import type { FailureGroupRow, NativeFailure } from "#db/stores/port/failure-groups.ts";
import { nextStepOfFailure } from "#domain/diagnosis/causes/dead-letters.ts";
import { FAILURE_CODES, type FailureCode } from "#domain/failure.ts";
import { constantPart, fingerprint, normaliseError } from "#domain/fingerprint.ts";
import { readMarks, toMark } from "../failures/group-marks.ts";
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

type Group = Omit<FailureGroup, "mark">;

/** Title of a failure code; a code that the team's table defines gets the generic one. */
function titleOf(code: string): string {
  return FAILURE_CODES.some((known) => known === code) ? TITLES[code as FailureCode] : TITLES.unknown;
}

/**
 * Failed and dead messages by cause. Groups what the store read: `read` is their number, `complete` is true if there
 * are no others. Marks of people are added where the console's database answers; ignored groups stay in the list.
 */
export async function listFailureGroups(input: { runtime: Runtime; outbox: string }): Promise<FailureGroupList> {
  const handle = await input.runtime.outbox(input.outbox);
  const [failures, { marks, problem }] = await Promise.all([
    outboxOf(handle).read.failures(),
    readMarks(input.runtime, handle.name),
  ]);
  const { grouped, native, ...read } = failures;
  const complete = read.complete && !handle.catalog.rowSecurity;
  const groups = merged([...groupNative(native), ...grouped.map(toGroup)]).map((group) => {
    const mark = marks.get(group.fingerprint);
    return { ...group, mark: mark ? toMark(mark, group, complete) : null };
  });
  return { groups, ...read, complete, markProblem: problem };
}

/** Groups of one cause, of which our records have a part and the table another, are one; the largest comes first. */
function merged(groups: readonly Group[]): Group[] {
  const known = new Map<string, Group>();
  for (const group of groups) {
    const first = known.get(group.fingerprint);
    known.set(group.fingerprint, first ? together(first, group) : group);
  }
  return [...known.values()].toSorted((a, b) => b.messages - a.messages);
}

/** With the filter of the first, which finds the messages of both; aggregates of both may be the same. */
function together(first: Group, second: Group): Group {
  return {
    ...first,
    eventTypes: [...new Set([...first.eventTypes, ...second.eventTypes])],
    messages: first.messages + second.messages,
    failed: first.failed + second.failed,
    dead: first.dead + second.dead,
    aggregates: Math.max(first.aggregates, second.aggregates),
    firstSeenAt: second.firstSeenAt,
    lastSeenAt: second.lastSeenAt,
    newByHour: null,
    nextStep: second.nextStep,
  };
}

const NO_ERROR = "No error recorded";

function toGroup(row: FailureGroupRow): Group {
  if (row.fingerprint === "") return withoutError(row);
  const code = row.code ?? "unknown";
  const eventTypes = row.eventTypes.filter((type) => type !== "");
  const text = normaliseError(row.text ?? "");
  const filter = { state: tabOf(row), group: row.fingerprint };
  return {
    ...row,
    code,
    title: titleOf(code),
    text,
    eventTypes,
    filter,
    nextStep: nextStepOfFailure(code, row.text ?? ""),
  };
}

/** Dead letters that were moved out of their table without an error. */
function withoutError(row: FailureGroupRow): Group {
  const filter = { state: tabOf(row) };
  return { ...row, code: "unknown", title: NO_ERROR, text: "", filter, nextStep: null };
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

/** Groups what the table itself says; there is no code, and no time of a failure. */
function groupNative(failures: readonly NativeFailure[]): Group[] {
  const groups = new Map<string, NativeFailure[]>();
  const known = new Map<string, string>();
  for (const failure of failures) {
    const { lastError, eventType } = failure;
    const text = `${eventType}\n${shapeOf(lastError ?? "")}`;
    const key = known.get(text) ?? fingerprint({ code: "unknown", error: lastError ?? "", eventType });
    known.set(text, key);
    const members = groups.get(key);
    if (members) members.push(failure);
    else groups.set(key, [failure]);
  }
  return [...groups].map(([key, members]): Group => {
    const [sample] = members;
    const messages = sumOf(members);
    const dead = sumOf(members.filter((member) => member.dead));
    const split = { failed: messages - dead, dead };
    return {
      fingerprint: key,
      code: "unknown",
      title: sample?.lastError ? TITLES.unknown : NO_ERROR,
      text: normaliseError(sample?.lastError ?? ""),
      filter: { state: tabOf(split), ...filterOf(sample) },
      eventTypes: sample?.eventType ? [sample.eventType] : [],
      messages,
      ...split,
      aggregates: new Set(members.flatMap((member) => member.aggregateIds)).size,
      firstSeenAt: null,
      lastSeenAt: null,
      newByHour: null,
      sampleId: sample?.id ?? "",
      nextStep: null,
    };
  });
}

const sumOf = (failures: readonly NativeFailure[]) => failures.reduce((sum, { messages }) => sum + messages, 0);

/** The tab that holds most of a group's messages. */
function tabOf({ failed, dead }: Pick<FailureGroup, "failed" | "dead">): string {
  return dead > failed ? "dead" : "failed";
}

/** The list cannot compute a group's key, so it looks for the type and the longest part of the text that does not vary. */
function filterOf(sample: NativeFailure | undefined): Record<string, string> {
  const type: Record<string, string> = sample?.eventType ? { eventType: sample.eventType } : {};
  const error = constantPart(sample?.lastError ?? "");
  return error === "" ? type : { ...type, error };
}
