import { createHash } from "node:crypto";
import type { MessageState } from "#domain/message-state.ts";
import type { MappedColumn, OutboxMapping } from "../../port/mapping.ts";
import type { MessageRow } from "../../port/message-row.ts";
import type { OutboxRef } from "../../port/outbox-ref.ts";
import { instantOf } from "../items/instant.ts";
import { canonical, type Item, textOf } from "../items/item.ts";
import { idOf } from "../items/message-key.ts";
import type { ArchiveDoc, DeadDoc, RestoredDoc, Summary } from "../items/moved.ts";
import { type NativeState, nativeStateOf } from "../items/native-state.ts";
import type { OwnRecord } from "../own-table/own-table.ts";

const ERROR_CHARACTERS = 500;

/** What our table says of a message whose item is in the team's. */
export interface Beside {
  dead?: OwnRecord<DeadDoc> | undefined;
  restored?: OwnRecord<RestoredDoc> | undefined;
}

/** A message whose item is in the team's table. `now` is RFC 3339 with microseconds. */
export function rowOfItem(ref: OutboxRef, item: Item, beside: Beside, now: string): MessageRow {
  const { columns, lifecycle } = ref.mapping;
  const native = nativeStateOf(item, ref.mapping, now);
  const { text, instant } = valuesOf(item);
  const { createdAt, ...summary } = summaryOf(ref.mapping, item);
  const dead = native.published ? undefined : beside.dead?.doc;
  const state = stateOf(native, dead !== undefined);
  const availableAt = instant(columns.availableAt);
  return {
    ...summary,
    id: idOf(item, ref.mapping),
    version: versionOf(item, beside),
    state,
    claimExpired: native.claimExpired,
    claimUndated: native.claimUndated,
    createdAt,
    publishedAt: lifecycle.kind === "flag" ? null : instant(columns.publishedAt),
    availableAt,
    ageSeconds: ageSeconds(createdAt, now),
    attempts: native.attempts ?? dead?.attempts ?? (ref.storeSide ? 0 : null),
    maxAttempts: ref.maxAttempts ?? ref.mapping.deadAttempts,
    nextAttemptAt: columns.attempts && state === "failed" ? availableAt : null,
    lastError: shortened(text(columns.lastError) ?? dead?.lastError ?? null),
    lastErrorCode: dead?.lastErrorCode ?? null,
    blockedBy: null,
    archivedAt: null,
    rawStatus: native.rawStatus,
    payloadBytes: null,
  };
}

/** The first that holds, in the order of domain/message-state.ts. */
function stateOf(native: NativeState, recordedDead: boolean): MessageState {
  if (native.unknown) return "unknown";
  if (native.dead || recordedDead) return "dead";
  if (native.published) return "published";
  if (native.expired) return "expired";
  if (native.inFlight) return "in_flight";
  return native.failed ? "failed" : "pending";
}

function valuesOf(item: Item) {
  const text = (column: MappedColumn | undefined) => (column ? textOf(item[column.name]) : null);
  return {
    text,
    instant: (column: MappedColumn | undefined) => (column ? instantOf(text(column), column.time) : null),
  };
}

/** The parts of a message that its lists need when the item itself is gone. */
export function summaryOf({ columns, lifecycle }: OutboxMapping, item: Item): Summary {
  const { text, instant } = valuesOf(item);
  const payload = text(columns.payload);
  return {
    eventType: text(columns.eventType),
    aggregateType: text(columns.aggregateType),
    aggregateId: text(columns.aggregateId),
    createdAt: instant(columns.createdAt),
    publishedAt: lifecycle.kind === "timestamp" ? instant(lifecycle.column) : null,
    payloadBytes: payload === null ? null : Buffer.byteLength(payload),
  };
}

export function rowOfDead(ref: OutboxRef, { sk, doc, v }: OwnRecord<DeadDoc>, now: string): MessageRow {
  return { ...movedRow(ref, sk, doc.summary, now), ...deadFacts(doc), version: movedVersion(v), state: "dead" };
}

export function rowOfArchived(ref: OutboxRef, { sk, doc, v }: OwnRecord<ArchiveDoc>, now: string): MessageRow {
  return {
    ...movedRow(ref, sk, doc.summary, now),
    ...(doc.dead ? deadFacts(doc.dead) : { attempts: doc.attempts, lastError: shortened(doc.lastError) }),
    version: movedVersion(v),
    state: "archived",
    archivedAt: doc.archivedAt,
    rawStatus: doc.stateBefore,
  };
}

/** Of a message whose item is in our table. */
export function movedVersion(v: string): string {
  return `m${v}`;
}

function deadFacts({ attempts, lastError, lastErrorCode }: DeadDoc) {
  return { attempts, lastError: shortened(lastError), lastErrorCode };
}

function movedRow(ref: OutboxRef, id: string, summary: Summary, now: string): MessageRow {
  return {
    ...summary,
    id,
    version: "",
    state: "dead",
    claimExpired: false,
    claimUndated: false,
    availableAt: null,
    ageSeconds: ageSeconds(summary.createdAt, now),
    attempts: null,
    maxAttempts: ref.maxAttempts,
    nextAttemptAt: null,
    lastError: null,
    lastErrorCode: null,
    blockedBy: null,
    archivedAt: null,
    rawStatus: null,
  };
}

function ageSeconds(createdAt: string | null, now: string): number | null {
  return createdAt === null ? null : (Date.parse(now) - Date.parse(createdAt)) / 1000;
}

function shortened(text: string | null): string | null {
  return text === null ? null : text.slice(0, ERROR_CHARACTERS);
}

/** Versions of the records about a message whose item is in its table. */
export type BesideVersions = { [Name in keyof Beside]?: { v: string } | null | undefined };

/** A digest of the whole item and of our records about it. */
export function versionOf(item: Item, { dead, restored }: BesideVersions): string {
  const seen = [canonical(item), dead?.v ?? "", restored?.v ?? ""].join("\n");
  return createHash("sha256").update(seen).digest("hex").slice(0, 24);
}
