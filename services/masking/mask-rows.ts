import type { BlockedAggregate } from "#db/stores/port/blocked-aggregates.ts";
import type { FailureGroupRow, FailuresRead } from "#db/stores/port/failure-groups.ts";
import type { MessageRow } from "#db/stores/port/message-row.ts";
import type { PauseRow } from "#db/stores/port/pauses.ts";
import type { RelayRow } from "#db/stores/port/relay-rows.ts";
import type { OutboxStore } from "#db/stores/port/store.ts";
import { maskFreeText } from "#domain/masking/patterns.ts";
import type { Masker } from "./masker.ts";

const ERROR_HIDDEN = "Hidden by the configuration (masking.errors).";

/** An error as it may be shown. `values`: the masked values of the message's own payload. */
export function maskError<Text extends string | null>(
  masker: Masker,
  { eventType, text, values = [] }: { eventType: string | null; text: Text; values?: readonly string[] },
): Text {
  const rules = masker.rules(eventType);
  if (rules === null || text === null || text === "") return text;
  return (rules.hidesErrors ? ERROR_HIDDEN : maskFreeText(text, rules, values).text) as Text;
}

const MAY_QUOTE_HIDDEN = "Hidden: it may quote a message whose payload the configuration hides.";

/**
 * A text that may quote a message of any type: a trace of a connector, the error of a group without types. The message
 * and its values are not known, so the whole text is hidden if payloads of any type are hidden.
 */
export function maskUnknown<Text extends string | null>(masker: Masker, text: Text): Text {
  const rules = masker.unknown();
  if (rules === null || text === null || text === "") return text;
  if (rules.hidesErrors) return ERROR_HIDDEN as Text;
  return (rules.hidden === null ? maskFreeText(text, rules).text : MAY_QUOTE_HIDDEN) as Text;
}

/**
 * A sentence that may quote an error of a message of any type. The error was masked by the rules of the time when it
 * was recorded, so now only the values that patterns and names find are masked.
 */
export function maskSaid<Text extends string | null>(masker: Masker, text: Text): Text {
  const rules = masker.unknown();
  return (rules === null || text === null ? text : maskFreeText(text, rules).text) as Text;
}

/**
 * A relay's report about itself, which an older version may have written, or a relay that stopped before masking began.
 */
export function maskRelay<Row extends Pick<RelayRow, "lastError" | "breaker" | "routes">>(
  masker: Masker,
  row: Row,
): Row {
  const hides = masker.unknown()?.hidesErrors ?? false;
  const error = <Text extends string | null>(text: Text): Text =>
    hides && text ? (ERROR_HIDDEN as Text) : maskSaid(masker, text);
  const { lastError, breaker, routes } = row;
  return {
    ...row,
    lastError: error(lastError),
    breaker: breaker && { ...breaker, message: error(breaker.message) },
    routes: routes.map((route) => ({ ...route, message: error(route.message) })),
  };
}

/**
 * The reason of a hold quotes the error of the message behind which the relay holds the aggregate. A person's pause
 * does not.
 */
export function maskHold<Row extends Pick<PauseRow, "reason" | "messageId">>(masker: Masker, row: Row): Row {
  if (row.messageId === null) return row;
  const hides = masker.unknown()?.hidesErrors ?? false;
  return { ...row, reason: hides ? row.reason.replace(/ \([\s\S]*$/, "") : maskSaid(masker, row.reason) };
}

export function maskRow<Row extends Pick<MessageRow, "eventType" | "lastError">>(masker: Masker, row: Row): Row {
  const { eventType, lastError: text } = row;
  return { ...row, lastError: maskError(masker, { eventType, text }) };
}

/**
 * The store with the texts of its errors masked. Payloads are as they are stored: whoever shows them masks them.
 * `typed`: messages of the outbox have types, so one whose type is not recorded may be of any.
 */
export function withMaskedErrors(
  store: OutboxStore,
  { masker, typed }: { masker: () => Promise<Masker | null>; typed: boolean },
): OutboxStore {
  const { read, watch } = store;
  return {
    ...store,
    read: {
      ...bound(read),
      list: async (request) => {
        const [page, mask] = await Promise.all([read.list(request), masker()]);
        return mask ? { ...page, rows: page.rows.map((row) => maskRow(mask, row)) } : page;
      },
      find: async (ids, how) => {
        const [rows, mask] = await Promise.all([read.find(ids, how), masker()]);
        return mask ? rows.map((row) => maskRow(mask, row)) : rows;
      },
      figures: async () => {
        const [figures, mask] = await Promise.all([read.figures(), masker()]);
        return mask ? { ...figures, relays: figures.relays.map((row) => maskRelay(mask, row)) } : figures;
      },
      blocked: async (request) => {
        const [page, mask] = await Promise.all([read.blocked(request), masker()]);
        if (!mask) return page;
        const held = (one: BlockedAggregate) => ({ ...one, pauses: one.pauses.map((row) => maskHold(mask, row)) });
        return { ...page, aggregates: page.aggregates.map(held) };
      },
      failures: async (by) => {
        const [failures, mask] = await Promise.all([read.failures(by), masker()]);
        return mask ? maskFailures(mask, failures, typed) : failures;
      },
    },
    watch: {
      facts: async (limits) => {
        const [gathered, mask] = await Promise.all([watch.facts(limits), masker()]);
        return mask ? { ...gathered, facts: maskTexts(mask, gathered.facts) } : gathered;
      },
      // The server's message about our own tables.
      noWrites: () => watch.noWrites(),
    },
  };
}

/** The reader's queries, which may be methods of a class. */
function bound(read: OutboxStore["read"]): OutboxStore["read"] {
  return {
    figures: () => read.figures(),
    list: (request) => read.list(request),
    message: (id) => read.message(id),
    find: (ids, how) => read.find(ids, how),
    eventIds: (ids) => read.eventIds(ids),
    outgoing: (ids, fields) => read.outgoing(ids, fields),
    bytes: (id, request) => read.bytes(id, request),
    failures: (by) => read.failures(by),
    failedBy: (ids) => read.failedBy(ids),
    blocked: (request) => read.blocked(request),
    has: (subject) => read.has(subject),
    sample: (fields) => read.sample(fields),
    statusValues: () => read.statusValues(),
    counters: () => read.counters(),
    judgeIndexes: (relay) => read.judgeIndexes(relay),
  };
}

function maskFailures(masker: Masker, failures: FailuresRead, typed: boolean): FailuresRead {
  const masked = ({ eventTypes, text }: Pick<FailureGroupRow, "eventTypes" | "text">) => {
    const known = eventTypes.filter((type) => type !== "");
    if (typed && (known.length === 0 || known.length < eventTypes.length)) return maskUnknown(masker, text);
    return ofTypes(masker, known.length === 0 ? [null] : known, text);
  };
  return {
    ...failures,
    grouped: failures.grouped.map((group) => ({ ...group, text: masked(group) })),
    native: failures.native.map((failure) => maskRow(masker, failure)),
  };
}

/** Masks by the rules of all types, because the newest error of a group may be of any of them. */
function ofTypes(masker: Masker, types: readonly (string | null)[], text: string | null): string | null {
  return types.reduce<string | null>((current, eventType) => maskError(masker, { eventType, text: current }), text);
}

const TEXTS = new Set(["error", "lastError"]);

/** Masks every member that holds an error's text, by the rules of the event type in the same object. */
function maskTexts<Value>(masker: Masker, value: Value): Value {
  if (Array.isArray(value)) return value.map((one) => maskTexts(masker, one)) as Value;
  if (typeof value !== "object" || value === null || Object.getPrototypeOf(value) !== Object.prototype) return value;
  const eventType = "eventType" in value && typeof value.eventType === "string" ? value.eventType : null;
  const members = Object.entries(value).map(([name, member]) =>
    TEXTS.has(name) && typeof member === "string"
      ? [name, maskError(masker, { eventType, text: member })]
      : [name, maskTexts(masker, member)],
  );
  return Object.fromEntries(members) as Value;
}
