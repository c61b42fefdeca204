import { createHash } from "node:crypto";
import { type MessageState, UNSENT_STATES } from "#domain/message/message-state.ts";
import { cutText } from "#domain/text/cut-text.ts";
import type { MappedColumn, OutboxMapping } from "../../port/mapping.ts";
import type { MessageRow } from "../../port/message-row.ts";
import type { OutboxRef } from "../../port/outbox-ref.ts";
import { deadlineOf, instantOf } from "../items/instant.ts";
import { canonical, type Item, textOf } from "../items/item.ts";
import { idOf } from "../items/message-key.ts";
import type { ArchiveDoc, DeadDoc, RestoredDoc, Summary } from "../items/moved.ts";
import { type NativeState, nativeStateOf } from "../items/native-state.ts";
import type { OwnRecord } from "../own-table/own-table.ts";
import type { DeliveryDoc } from "../own-table/relay-docs.ts";
import type { HeldClaim } from "../own-table/terms.ts";

const ERROR_CHARACTERS = 500;

/** Our records of a message whose item is in the team's table. */
export interface Beside {
  dead?: OwnRecord<DeadDoc> | undefined;
  restored?: OwnRecord<RestoredDoc> | undefined;
  delivery?: OwnRecord<DeliveryDoc> | undefined;
  /** The claim that holds it. */
  claim?: Pick<HeldClaim, "lives"> | undefined;
}

/** A message whose item is in the team's table. `now` is RFC 3339 with microseconds. */
export function rowOfItem(ref: OutboxRef, item: Item, beside: Beside, now: string): MessageRow {
  const { columns, lifecycle } = ref.mapping;
  const native = nativeStateOf(item, ref.mapping, now);
  const { text, instant } = valuesOf(item);
  const { createdAt, ...summary } = summaryOf(ref.mapping, item);
  const dead = native.published ? undefined : beside.dead?.doc;
  const delivery = native.published ? undefined : beside.delivery?.doc;
  const claim = native.published ? undefined : beside.claim;
  const waits = delivery !== undefined && delivery.nextAttemptAt !== null && delivery.attempts > 0;
  const state = stateOf(native, { dead: dead !== undefined, claimed: claim?.lives === true, waits });
  const availableAt = columns.availableAt ? deadlineOf(text(columns.availableAt), columns.availableAt.time) : null;
  return {
    ...summary,
    id: idOf(item, ref.mapping),
    version: versionOf(item, beside),
    state,
    claimExpired: native.claimExpired || (claim !== undefined && !claim.lives && isUnsentState(state)),
    claimUndated: native.claimUndated,
    createdAt,
    publishedAt: lifecycle.kind === "flag" ? null : instant(columns.publishedAt),
    availableAt,
    ageSeconds: ageSeconds(createdAt, now),
    attempts: attemptsOf(native, delivery ?? dead) ?? (ref.storeSide ? 0 : null),
    maxAttempts: ref.maxAttempts ?? ref.mapping.deadAttempts,
    nextAttemptAt: state === "failed" ? (delivery?.nextAttemptAt ?? (columns.attempts ? availableAt : null)) : null,
    lastError: shortened(text(columns.lastError) ?? delivery?.lastError ?? dead?.lastError ?? null),
    lastErrorCode: delivery?.lastErrorCode ?? dead?.lastErrorCode ?? null,
    blockedBy: null,
    archivedAt: null,
    rawStatus: native.rawStatus,
    payloadBytes: null,
  };
}

/** The first that holds, in the order of domain/message/message-state.ts. */
function stateOf(native: NativeState, ours: { dead: boolean; claimed: boolean; waits: boolean }): MessageState {
  if (native.unknown) return "unknown";
  if (native.dead || ours.dead) return "dead";
  if (native.published) return "published";
  if (native.expired) return "expired";
  if (native.inFlight || ours.claimed) return "in_flight";
  return native.failed || ours.waits ? "failed" : "pending";
}

function isUnsentState(state: MessageState): boolean {
  return UNSENT_STATES.some((one) => one === state);
}

/** The larger of the item's own count and ours. */
function attemptsOf(native: NativeState, ours: { attempts: number } | undefined): number | null {
  if (native.attempts === null) return ours?.attempts ?? null;
  return Math.max(native.attempts, ours?.attempts ?? 0);
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
  return text === null ? null : cutText(text, ERROR_CHARACTERS);
}

/** Versions of the records about a message whose item is in its table. */
export type BesideVersions = { [Name in Exclude<keyof Beside, "claim">]?: { v: string } | null | undefined };

/** A digest of the whole item and of our records about it. */
export function versionOf(item: Item, { dead, restored, delivery }: BesideVersions): string {
  const seen = [canonical(item), dead?.v ?? "", restored?.v ?? "", delivery?.v ?? ""].join("\n");
  return createHash("sha256").update(seen).digest("hex").slice(0, 24);
}
