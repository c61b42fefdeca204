import type { MessageRow, MessageTab } from "#db/stores/port/message-row.ts";
import type { OutboxReader } from "#db/stores/port/outbox-reader.ts";
import { toAppError } from "#domain/errors.ts";
import { outboxOf } from "../outboxes/outbox-of.ts";
import type { OutboxHandle } from "../runtime.ts";
import { type Registry, whyUnreadable } from "./registry.ts";

/** Messages that a consumer may still get; `unknown` are those whose table does not show it. */
const STATES = ["unsent", "dead", "unknown"] as const satisfies readonly MessageTab[];
const PAGE_ROWS = 200;
const AT_ONCE = 8;
/** A larger payload is in memory at once. */
const MOST_BYTES = 16_000_000;
const MOST_EXAMPLES = 3;
/** Header that the client package writes: the version of the event with which a message was written. */
const VERSION_HEADER = "event-version";

/** One reason why messages of a type cannot be read. */
export interface Unreadable {
  reason: string;
  count: number;
  /** Ids of the first. */
  examples: string[];
}

export interface TypeReport {
  /** Null for messages whose table or row names no type. */
  eventType: string | null;
  fit: number;
  unreadable: Unreadable[];
}

export interface PayloadReport {
  outbox: string;
  checked: number;
  /** There are more than `most`. */
  cut: boolean;
  /** By type, in the order in which they were met. */
  types: TypeReport[];
  /** Reasons why some messages were not checked. */
  missed: string[];
}

/**
 * Checks whether the code of a registry can read the stored messages: validates each message that is unsent, scheduled,
 * dead or in an unknown state, at most `most` of them, waiting ones first. Reads page by page, by key, and writes
 * nothing.
 */
export async function checkPayloads(handle: OutboxHandle, registry: Registry, most: number): Promise<PayloadReport> {
  const report: PayloadReport = { outbox: handle.name, checked: 0, cut: false, types: [], missed: [] };
  for (const state of STATES) {
    await checkState({ handle, registry, report, most }, state).catch((error: unknown) => {
      report.missed.push(`Messages that are ${state} could not be read: ${toAppError(error).message}`);
    });
  }
  return report;
}

interface Checking {
  handle: OutboxHandle;
  registry: Registry;
  report: PayloadReport;
  most: number;
}

async function checkState({ handle, registry, report, most }: Checking, state: MessageTab): Promise<void> {
  const { read } = outboxOf(handle);
  let cursor: string | undefined;
  const missedFor = new Set<string>();
  do {
    const page = await read.list({ filter: { state }, cursor, limit: PAGE_ROWS, count: false });
    const rows = page.rows.slice(0, most - report.checked);
    report.cut ||= rows.length < page.rows.length;
    if (page.partial?.skipped) missedFor.add(whySkipped(state, page.partial.index));
    for (let first = 0; first < rows.length; first += AT_ONCE) {
      const some = rows.slice(first, first + AT_ONCE);
      const reasons = await Promise.all(some.map((row) => judge(read, registry, row)));
      for (const [index, row] of some.entries()) note(report, row, reasons[index]);
    }
    cursor = page.nextCursor ?? undefined;
  } while (cursor !== undefined && !report.cut);
  report.missed.push(...missedFor);
}

/** `index`: the statement that creates one that helps; empty if none does. */
function whySkipped(state: MessageTab, index: string): string {
  const help = index === "" ? "" : ` This index lets them be read: ${index}`;
  return `Not every message that is ${state} was read, because no index of the table finds them.${help}`;
}

/** Null for a message that fits; undefined for one that has left the table since its page was read. */
async function judge(read: OutboxReader, registry: Registry, row: MessageRow): Promise<string | null | undefined> {
  const entry = row.eventType === null ? undefined : registry.get(row.eventType);
  if (row.eventType === null) return "The message names no type.";
  if (!entry) return "The registry has no such type.";
  const found = await read.bytes(row.id, { most: MOST_BYTES, longer: "length" });
  if (!found) return undefined;
  const { payload, headers } = found;
  if (payload && payload.bytes.length < payload.totalBytes)
    return `The payload has ${payload.totalBytes} bytes, and more than ${MOST_BYTES} are not read.`;
  const value = payload === null ? { json: null } : jsonOf(payload.bytes);
  if (!value) return "The payload is not JSON.";
  return whyUnreadable(entry, value.json, headers === null ? null : versionOf(jsonOf(headers.bytes)?.json));
}

function note(report: PayloadReport, row: MessageRow, reason: string | null | undefined): void {
  if (reason === undefined) return;
  report.checked += 1;
  const type = findOrAdd(
    report.types,
    ({ eventType }) => eventType === row.eventType,
    () => ({ eventType: row.eventType, fit: 0, unreadable: [] }),
  );
  if (reason === null) {
    type.fit += 1;
    return;
  }
  const same = findOrAdd(
    type.unreadable,
    (one) => one.reason === reason,
    () => ({ reason, count: 0, examples: [] }),
  );
  same.count += 1;
  if (same.examples.length < MOST_EXAMPLES) same.examples.push(row.id);
}

function findOrAdd<T>(list: T[], isIt: (item: T) => boolean, create: () => T): T {
  const found = list.find(isIt);
  if (found) return found;
  const added = create();
  list.push(added);
  return added;
}

function jsonOf(bytes: Uint8Array): { json: unknown } | null {
  try {
    return { json: JSON.parse(new TextDecoder("utf-8", { fatal: true }).decode(bytes)) };
  } catch (error) {
    if (error instanceof SyntaxError || error instanceof TypeError) return null;
    throw error;
  }
}

function versionOf(headers: unknown): number | null {
  if (typeof headers !== "object" || headers === null) return null;
  const version: unknown = Reflect.get(headers, VERSION_HEADER);
  const number = typeof version === "string" || typeof version === "number" ? Number(version) : Number.NaN;
  return Number.isInteger(number) ? number : null;
}
