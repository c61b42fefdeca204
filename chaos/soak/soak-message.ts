import type { OutgoingMessage } from "#db/stores/port/relay/outgoing-message.ts";

export interface Place {
  lane: number;
  n: number;
}

/** Each half of the lanes has its own topic. */
export const HALVES = ["even", "odd"] as const;

export function halfOf(lane: number): (typeof HALVES)[number] {
  return lane % 2 === 0 ? "even" : "odd";
}

/** Makes a message about as large as real ones. */
const FILLER = "x".repeat(200);

export function soakMessage({ lane, n }: Place): OutgoingMessage {
  const id = `${lane}-${n}`;
  return {
    id,
    eventId: id,
    aggregateKey: `lane/${lane}`,
    aggregateType: "lane",
    aggregateId: String(lane),
    eventType: "lane.numbered",
    topic: halfOf(lane),
    headers: null,
    payload: `{"lane":${lane},"n":${n},"text":"${FILLER}"}`,
    payloadKind: "json",
    createdAt: "2026-03-01T10:00:00.123456Z",
    scheduled: false,
    order: [String(n), id],
    attempts: 0,
  };
}

export function placeOf(payload: string): Place {
  const { lane, n } = JSON.parse(payload) as Place;
  return { lane, n };
}
