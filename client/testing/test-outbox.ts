import { AssertionError } from "node:assert/strict";
import { isDeepStrictEqual } from "node:util";
import type { EventRegistry, PayloadIn, TypesOf } from "../events/define-events.ts";
import type { ReceivedMessage } from "../messages/received-message.ts";
import type { Outbox } from "../outbox/create-outbox.ts";
import { type DeliveryFaults, deliveries } from "./deliveries.ts";
import { readStored } from "./stored-event.ts";

/** Part of a payload: given values must be equal, all others may differ. */
type PartOf<P> = P extends readonly unknown[] ? P : P extends object ? { [K in keyof P]?: PartOf<P[K]> } : P;

/** Assertions about an outbox's table, for the tests of a service. */
export interface OutboxUnderTest<R extends EventRegistry> {
  /** The events in the table, as a consumer would get them; oldest first. */
  events(): Promise<ReceivedMessage[]>;
  /** The single event of this type with these values. For none or several, throws an error that lists the events. */
  expectAdded<T extends TypesOf<R>>(type: T, payload?: PartOf<PayloadIn<R, T>>): Promise<ReceivedMessage>;
  /** Throws an error that lists the events if there is any, or any of one type. */
  none(type?: TypesOf<R>): Promise<void>;
  /** Ignores the present events in all later calls. */
  forget(): Promise<void>;
  /**
   * Hands every event to a consumer, one after another, as the relay may: at least once, first deliveries of an
   * aggregate in order. Returns the deliveries. Rejects with the first error of `handler`.
   */
  deliverTo(
    handler: (message: ReceivedMessage) => Promise<unknown>,
    faults?: DeliveryFaults,
  ): Promise<ReceivedMessage[]>;
}

export function testOutbox<R extends EventRegistry, Tx, Db>(
  { via, layout }: Outbox<R, Tx, Db>,
  db: Db | Tx,
): OutboxUnderTest<R> {
  const forgotten = new Set<string>();
  const events = async () => (await readStored(via, db, layout)).filter(({ id }) => !forgotten.has(id));
  return {
    events,
    expectAdded: async (type, payload) => {
      const all = await events();
      // As JSON has it, such as a Date.
      const part: unknown = payload === undefined ? undefined : JSON.parse(JSON.stringify(payload));
      const found = all.filter((event) => event.type === type && contains(event.payload, part));
      const [one, ...others] = found;
      if (one && others.length === 0) return one;
      const wanted = payload === undefined ? type : `${type} with ${JSON.stringify(payload)}`;
      throw failed(`${found.length} events are ${wanted}, and one was expected`, all);
    },
    none: async (type) => {
      const found = (await events()).filter((event) => type === undefined || event.type === type);
      if (found.length > 0) throw failed(`there should be no event${type ? ` ${type}` : ""}`, found);
    },
    forget: async () => {
      for (const { id } of await events()) forgotten.add(id);
    },
    deliverTo: async (handler, faults) => {
      const sent = deliveries(await events(), faults);
      for (const message of sent) await handler(message);
      return sent;
    },
  };
}

function contains(whole: unknown, part: unknown): boolean {
  if (part === undefined) return true;
  if (typeof part !== "object" || part === null || Array.isArray(part)) return isDeepStrictEqual(whole, part);
  if (typeof whole !== "object" || whole === null) return false;
  return Object.entries(part).every(([name, value]) => contains((whole as Record<string, unknown>)[name], value));
}

function failed(what: string, events: readonly ReceivedMessage[]): AssertionError {
  const shown = events.slice(0, 20).map(({ type, payload }) => `  ${type} ${JSON.stringify(payload)}`);
  const there = shown.length === 0 ? "The outbox has no event." : `The outbox has:\n${shown.join("\n")}`;
  return new AssertionError({ message: `${what}. ${there}` });
}
