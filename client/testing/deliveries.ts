import type { ReceivedMessage } from "../messages/received-message.ts";

/** Faults of the delivery. The same seed gives the same sequence. */
export interface DeliveryFaults {
  /** Times that each message comes again, some of them after later messages; 0 by default. */
  duplicates?: number;
  /** `aggregates`: they overtake each other, each stays in order, as with the relay. `all`: nothing keeps any order. */
  reorder?: "aggregates" | "all";
  seed?: number;
}

/** The sequence in which messages are delivered. */
export function deliveries(
  messages: readonly ReceivedMessage[],
  { duplicates = 0, reorder, seed = 1 }: DeliveryFaults = {},
): ReceivedMessage[] {
  const random = generator(seed);
  const first = reorder === undefined ? [...messages] : mixed(lanesOf(messages, reorder), random);
  const sent = [...first];
  for (let round = 0; round < duplicates; round += 1)
    for (const message of first) {
      // A repeat comes after the first delivery, at once or later.
      const from = sent.indexOf(message) + 1;
      sent.splice(from + Math.floor(random() * (sent.length - from + 1)), 0, message);
    }
  return sent;
}

function lanesOf(messages: readonly ReceivedMessage[], reorder: "aggregates" | "all"): ReceivedMessage[][] {
  const lanes = new Map<string, ReceivedMessage[]>();
  for (const message of messages) {
    const { id, aggregateType, aggregateId } = message;
    const lane = reorder === "all" || aggregateId === null ? id : JSON.stringify([aggregateType, aggregateId]);
    lanes.set(lane, [...(lanes.get(lane) ?? []), message]);
  }
  return [...lanes.values()];
}

/** The heads of the lanes in a random order. */
function mixed(lanes: readonly ReceivedMessage[][], random: () => number): ReceivedMessage[] {
  const left = lanes.map((lane) => [...lane]);
  const sequence: ReceivedMessage[] = [];
  while (left.length > 0) {
    const index = Math.floor(random() * left.length);
    const next = left[index]?.shift();
    if (next) sequence.push(next);
    if (left[index]?.length === 0) left.splice(index, 1);
  }
  return sequence;
}

/** Mulberry32: small, and even enough for this. */
function generator(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixing = Math.imul(state ^ (state >>> 15), state | 1);
    mixing ^= mixing + Math.imul(mixing ^ (mixing >>> 7), mixing | 61);
    return ((mixing ^ (mixing >>> 14)) >>> 0) / 4_294_967_296;
  };
}
