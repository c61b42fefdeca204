import type { OutgoingMessage } from "#db/stores/port/relay/outgoing-message.ts";
import type { Failure } from "#domain/failure.ts";
import { ABORTED, PUBLISHED, type PublishOutcome, unsent } from "../sink.ts";
import { failureOfReply } from "./classify-failure.ts";
import { type Reply, ReplyError } from "./reply-reader.ts";

/** Position of a message in its call, and the lane in which nothing may overtake it. */
export interface Place {
  index: number;
  lane: string;
  stream?: string;
}

/** Outcomes so far of one call's messages, and the lanes that have stopped. */
export class CallOutcomes {
  readonly #outcomes: (PublishOutcome | undefined)[];
  readonly #lanes: string[];
  readonly #stopped = new Set<string>();
  #foundOutage = false;

  constructor(messages: readonly OutgoingMessage[]) {
    this.#outcomes = new Array(messages.length).fill(undefined);
    const lanes = new Map<string, string>();
    this.#lanes = messages.map(({ aggregateKey }, index) => {
      if (aggregateKey === null) return String(index);
      const lane = lanes.get(aggregateKey) ?? String(index);
      lanes.set(aggregateKey, lane);
      return lane;
    });
  }

  /** An answer was about the server, not about a message or a stream. */
  get foundOutage(): boolean {
    return this.#foundOutage;
  }

  laneOf(index: number): string {
    return this.#lanes[index] ?? String(index);
  }

  hasStopped(lane: string): boolean {
    return this.#stopped.has(lane);
  }

  /** Reports a lane's first failure; later messages of the lane were not tried and end as aborted. */
  failed(places: readonly Place[], failure: Failure): void {
    this.#end(places, { kind: "failed", failure });
  }

  /** The same for a message that cannot be sent. */
  unsent(place: Place, failure: Failure): void {
    this.#end([place], unsent(failure));
  }

  #end(places: readonly Place[], outcome: PublishOutcome): void {
    for (const { index, lane } of places) {
      this.#outcomes[index] = this.#stopped.has(lane) ? ABORTED : outcome;
      this.#stopped.add(lane);
    }
  }

  /** `reply`: XADD's entry id, or the script's pairs of a number and an error for entries that were not appended. */
  answered(places: readonly Place[], reply: Reply): void {
    if (reply instanceof ReplyError) this.#refused(places, reply.message);
    else if (Array.isArray(reply)) this.#scriptAnswered(places, reply);
    else if (typeof reply === "string" && places.length === 1) this.#published(places);
    else this.failed(places, NO_CONFIRMATION);
  }

  #published(places: readonly Place[]): void {
    for (const { index } of places) this.#outcomes[index] = PUBLISHED;
  }

  #scriptAnswered(places: readonly Place[], failures: readonly Reply[]): void {
    this.#published(places);
    for (let at = 0; at < failures.length; at += 2) {
      const place = places[Number(failures[at]) - 1];
      if (place) this.#refused([place], String(failures[at + 1]));
    }
  }

  #refused(places: readonly Place[], text: string): void {
    const streams = new Set(places.map(({ stream }) => stream));
    const [stream] = streams;
    const failure = failureOfReply(text, streams.size === 1 ? stream : undefined);
    this.#foundOutage ||= failure.kind === "environment";
    this.failed(places, failure);
  }

  /** For messages that were sent and not answered. */
  failUnanswered(places: readonly Place[], failure: Failure): void {
    this.failed(
      places.filter(({ index }) => this.#outcomes[index] === undefined),
      failure,
    );
  }

  /** For messages that were not sent and will not be. */
  failRest(failure: Failure): PublishOutcome[] {
    for (const [index, outcome] of this.#outcomes.entries()) {
      if (outcome === undefined) this.failed([{ index, lane: this.laneOf(index) }], failure);
    }
    return this.abortRest();
  }

  abortRest(): PublishOutcome[] {
    return this.#outcomes.map((outcome) => outcome ?? ABORTED);
  }
}

const NO_CONFIRMATION: Failure = {
  code: "unknown",
  kind: "ambiguous",
  message: "Redis answered neither with a confirmation nor with an error.",
};
