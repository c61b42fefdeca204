import type { FailureGroup, FailureGroupList } from "#contracts/message/messages.ts";
import type { FailureGroupRow, NativeFailure } from "#db/stores/port/failure-groups.ts";
import { nextStepOfFailure } from "#domain/diagnosis/causes/dead-letters.ts";
import { FAILURE_CODES, type FailureCode } from "#domain/failure.ts";
import type { FailureGrouping } from "#domain/message/failure-grouping.ts";
import { constantPart, fingerprint, normaliseError } from "#domain/message/fingerprint.ts";
import { readMarks, toMark } from "../failures/group-marks.ts";
import { outboxOf } from "../outboxes/outbox-of.ts";
import { whyUnread } from "../outboxes/why-unread.ts";
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

type Group = Omit<FailureGroup, "mark" | "aggregates"> & { aggregates: number };

/** Title of a failure code; a code that the team's table defines gets the generic one. */
function titleOf(code: string): string {
  return FAILURE_CODES.some((known) => known === code) ? TITLES[code as FailureCode] : TITLES.unknown;
}

/**
 * Failed and dead messages by what they have in common. Groups what the store read: `read` is their number, `complete`
 * is true if there are no others. Marks of people belong to fingerprints and are added to the groups by text, where the
 * console's database answers; ignored groups stay in the list.
 */
export async function listFailureGroups(input: {
  runtime: Runtime;
  outbox: string;
  by?: FailureGrouping;
}): Promise<FailureGroupList> {
  const { runtime, by = "text" } = input;
  const handle = await runtime.outbox(input.outbox);
  const [failures, { marks, problem }] = await Promise.all([
    outboxOf(handle).read.failures(by),
    by === "text" ? readMarks(runtime, handle.name) : { marks: new Map<string, never>(), problem: null },
  ]);
  const { grouped, native, ...read } = failures;
  const unread = whyUnread(handle);
  const complete = read.complete && unread === null;
  const groups = merged([...groupNative(native, by), ...grouped.map((row) => toGroup(row, by))]).map((group) => {
    const mark = marks.get(group.key);
    const aggregates = handle.mapping.columns.aggregateId ? group.aggregates : null;
    return { ...group, aggregates, mark: mark ? toMark(mark, group, complete) : null };
  });
  return { by, groups, ...read, complete, unread, markProblem: problem };
}

/** Merges groups of one cause of which our records have one part and the table another; the largest comes first. */
function merged(groups: readonly Group[]): Group[] {
  const known = new Map<string, Group>();
  for (const group of groups) {
    const first = known.get(group.key);
    known.set(group.key, first ? together(first, group) : group);
  }
  return [...known.values()].toSorted((a, b) => b.messages - a.messages);
}

/** With the filter of the first, which finds the messages of both; aggregates of both may be the same. */
function together(first: Group, second: Group): Group {
  const split = { failed: first.failed + second.failed, dead: first.dead + second.dead };
  return {
    ...first,
    ...split,
    code: first.code === second.code ? first.code : null,
    text: second.text === "" ? first.text : second.text,
    filter: { ...first.filter, state: tabOf(split) },
    eventTypes: [...new Set([...first.eventTypes, ...second.eventTypes])],
    messages: first.messages + second.messages,
    aggregates: Math.max(first.aggregates, second.aggregates),
    firstSeenAt: second.firstSeenAt,
    lastSeenAt: second.lastSeenAt,
    newByHour: null,
    nextStep: second.nextStep,
  };
}

const NO_ERROR = "No error recorded";

function toGroup(row: FailureGroupRow, by: FailureGrouping): Group {
  const { key, text: error, ...rest } = row;
  const code = by === "text" ? (row.code ?? "unknown") : row.code;
  return {
    ...rest,
    ...common(by, key),
    ...selectionOf(row, by),
    code,
    title: titleOfGroup(by, key, code),
    // Dead letters that were moved out of their table without an error.
    text: by === "text" && key === "" ? "" : normaliseError(error ?? ""),
    eventTypes: row.eventTypes.filter((type) => type !== ""),
    nextStep: code === null || key === "" ? null : nextStepOfFailure(code, error ?? ""),
  };
}

function common(by: FailureGrouping, key: string): Pick<Group, "key" | "fingerprint"> {
  return { key, fingerprint: by === "text" ? key : null };
}

function titleOfGroup(by: FailureGrouping, key: string, code: string | null): string {
  if (by === "type") return key === "" ? "No type recorded" : key;
  if (by === "code") return key === "" ? "No error code recorded" : titleOf(key);
  return key === "" ? NO_ERROR : titleOf(code ?? "unknown");
}

const FILTERED_BY = { text: "group", code: "errorCode", type: "eventType" } as const;

/** The filter of what the messages have in common. No filter finds those that lack it. */
function selectionOf(
  { key, failed, dead }: Pick<FailureGroupRow, "key" | "failed" | "dead">,
  by: FailureGrouping,
): Pick<Group, "filter" | "selects"> {
  const state = tabOf({ failed, dead });
  return key === ""
    ? { filter: { state }, selects: false }
    : { filter: { state, [FILTERED_BY[by]]: key }, selects: true };
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

/** Groups failures by the table itself, which has no codes and no times of failures. */
function groupNative(failures: readonly NativeFailure[], by: FailureGrouping): Group[] {
  return [...Map.groupBy(failures, keysOf(by))].map(([key, members]): Group => {
    const [sample] = members;
    const messages = sumOf(members);
    const dead = sumOf(members.filter((member) => member.dead));
    const split = { failed: messages - dead, dead };
    const byText = by === "text";
    return {
      ...common(by, key),
      ...(byText ? textSelection(sample, tabOf(split)) : selectionOf({ key, ...split }, by)),
      code: byText ? "unknown" : null,
      title: byText ? (sample?.lastError ? TITLES.unknown : NO_ERROR) : titleOfGroup(by, key, null),
      text: normaliseError(sample?.lastError ?? ""),
      eventTypes: [...new Set(members.flatMap(({ eventType }) => eventType || []))],
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

function keysOf(by: FailureGrouping): (failure: NativeFailure) => string {
  if (by === "code") return () => "";
  if (by === "type") return ({ eventType }) => eventType ?? "";
  const known = new Map<string, string>();
  return ({ lastError, eventType }) => {
    const text = `${eventType}\n${shapeOf(lastError ?? "")}`;
    const key = known.get(text) ?? fingerprint({ code: "unknown", error: lastError ?? "", eventType });
    known.set(text, key);
    return key;
  };
}

const sumOf = (failures: readonly NativeFailure[]) => failures.reduce((sum, { messages }) => sum + messages, 0);

/** The tab that holds a group's messages and the fewest others. */
function tabOf({ failed, dead }: Pick<FailureGroup, "failed" | "dead">): string {
  if (failed > 0 && dead > 0) return "failing";
  return dead > 0 ? "dead" : "failed";
}

/**
 * The list cannot compute a group's key, so it looks for the type and the longest part of the text that does not vary.
 */
function textSelection(sample: NativeFailure | undefined, state: string): Pick<Group, "filter" | "selects"> {
  const type: Record<string, string> = sample?.eventType ? { eventType: sample.eventType } : {};
  const error = constantPart(sample?.lastError ?? "");
  return error === ""
    ? { filter: { state, ...type }, selects: false }
    : { filter: { state, ...type, error }, selects: true };
}
