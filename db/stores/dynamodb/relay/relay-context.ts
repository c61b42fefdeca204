import type { OutboxMapping } from "../../port/mapping.ts";
import type { PauseEntry } from "../../port/relay/pause-entry.ts";
import type { RelayTableSettings } from "../../port/store.ts";
import { TableChangedError } from "../../port/table-changed-error.ts";
import type { Room } from "../room.ts";
import { Deliveries } from "./deliveries.ts";
import type { WaitingIndex } from "./index-shape.ts";
import type { PartReader, PartStart } from "./unsorted-part.ts";

/** Context of everything that the relay of one outbox does. */
export interface RelayContext {
  /** With a client and a budget of the relay's own. */
  room: Room;
  outbox: string;
  mapping: OutboxMapping;
  settings: RelayTableSettings;
  /** Each aggregate is an ordered lane; if false, every message is its own lane. */
  lanes: boolean;
  maxAttempts: number;
  /** As of the beginning of the term; null before, and where none is configured. */
  index: WaitingIndex | null;
  /** Where the next reads of an index without order begin. */
  parts: Map<PartReader, PartStart>;
  deliveries: Deliveries;
  /** Suspects as last read: the number of relays that died with them in flight. */
  suspects: Map<string, number>;
  /** Messages whose items have no room for attributes that only inform: an error's text, a time to live. */
  full: Set<string>;
  /** Active pauses as last read. */
  paused: { entries: readonly PauseEntry[]; eventTypes: ReadonlySet<string>; aggregates: ReadonlySet<string> };
  /** Event types of failing routes, as last set by the relay. */
  leftOut: ReadonlySet<string>;
}

/** The index of waiting items; null where the stream is all that is read. Throws TableChangedError before a term. */
export function requireIndex({ index, outbox, room }: RelayContext): WaitingIndex | null {
  if (!index && room.family.waiting) throw new TableChangedError(outbox);
  return index;
}

/** Paused event types, and those of failing routes. */
export function isTypeWithheld({ paused, leftOut }: RelayContext, eventType: string | null): boolean {
  return eventType !== null && (paused.eventTypes.has(eventType) || leftOut.has(eventType));
}

/** Before the first term. */
export function relayContext(room: Room, settings: RelayTableSettings): RelayContext {
  const { mapping, name: outbox } = room.ref;
  return {
    room,
    outbox,
    mapping,
    settings,
    lanes: settings.ordering !== "none" && mapping.columns.aggregateId !== undefined,
    maxAttempts: Math.min(settings.maxAttempts, mapping.deadAttempts ?? settings.maxAttempts),
    index: null,
    parts: new Map(),
    deliveries: new Deliveries(room.own, outbox),
    suspects: new Map(),
    full: new Set(),
    paused: { entries: [], eventTypes: new Set(), aggregates: new Set() },
    leftOut: new Set(),
  };
}
