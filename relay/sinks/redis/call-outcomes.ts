import type { OutgoingMessage } from "#db/outbox/outgoing-message.ts";
import type { Failure } from "#domain/failure.ts";
import { ABORTED, PUBLISHED, type PublishOutcome } from "../sink.ts";
import { failureOfReply } from "./classify.ts";

/** Where a message stands in its call, and which others must not overtake it. */
export interface Place {
  index: number;
  lane: string;
}

/** What is known of the messages of one call, and which aggregates have stopped. */
export class CallOutcomes {
  readonly #outcomes: (PublishOutcome | undefined)[];
  readonly #lanes: string[];
  readonly #stopped = new Set<string>();
  #foundReplica = false;

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

  get foundReplica(): boolean {
    return this.#foundReplica;
  }

  laneOf(index: number): string {
    return this.#lanes[index] ?? String(index);
  }

  hasStopped(lane: string): boolean {
    return this.#stopped.has(lane);
  }

  /** The first failure of a lane is told; what follows in the lane was not tried for its own sake. */
  failed(places: readonly Place[], failure: Failure): void {
    for (const { index, lane } of places) {
      this.#outcomes[index] = this.#stopped.has(lane) ? ABORTED : { kind: "failed", failure };
      this.#stopped.add(lane);
    }
  }

  /** `answer` is the script's: pairs of a number and an error for what was not appended. */
  answered(places: readonly Place[], answer: unknown): void {
    for (const { index } of places) this.#outcomes[index] = PUBLISHED;
    const failures = Array.isArray(answer) ? answer : [];
    for (let at = 0; at < failures.length; at += 2) {
      const place = places[Number(failures[at]) - 1];
      if (!place) continue;
      const failure = failureOfReply(String(failures[at + 1]));
      this.#foundReplica ||= failure.message.includes("READONLY");
      this.failed([place], failure);
    }
  }

  /** For what was not sent and will not be. */
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
