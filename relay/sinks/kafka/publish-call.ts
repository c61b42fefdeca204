import { ABORTED, type PublishOutcome } from "../sink.ts";
import type { KafkaRecord } from "./record-batch.ts";

/** Topic and partition of a record. */
export interface Destination {
  topic: string;
  partition: number;
}

/** One message in flight, with the callback for its outcome. */
export class Entry {
  readonly record: KafkaRecord;
  readonly to: Destination;
  readonly #call: PublishCall;
  readonly #index: number;
  readonly #run: AggregateRun;

  /** `index`: the message's index in the call. */
  constructor(input: { record: KafkaRecord; to: Destination; call: PublishCall; index: number; run: AggregateRun }) {
    this.record = input.record;
    this.to = input.to;
    this.#call = input.call;
    this.#index = input.index;
    this.#run = input.run;
  }

  /** True when the outcome is already settled because the call was aborted. */
  get settled(): boolean {
    return this.#call.outcomes[this.#index] !== undefined;
  }

  /** True when an earlier message of the aggregate failed. */
  get withheld(): boolean {
    return this.#run.stopped;
  }

  /** Of an aggregate's messages only the first fails; those behind it go back untried, also from the same batch. */
  settle(outcome: PublishOutcome): void {
    const isBehind = outcome.kind === "failed" && this.#run.stopped;
    this.#call.settle(this.#index, isBehind ? ABORTED : outcome);
    this.#run.settled(outcome.kind === "published");
  }
}

/** One call of publish: one outcome per message, and a promise of all of them. */
export class PublishCall {
  readonly outcomes: (PublishOutcome | undefined)[];
  readonly done: Promise<PublishOutcome[]>;
  #left: number;
  #resolve: (outcomes: PublishOutcome[]) => void = () => undefined;

  constructor(count: number) {
    this.outcomes = new Array(count).fill(undefined);
    this.#left = count;
    this.done = new Promise((resolve) => {
      this.#resolve = resolve;
    });
    if (count === 0) this.#resolve([]);
  }

  settle(index: number, outcome: PublishOutcome): void {
    if (this.outcomes[index] !== undefined) return;
    this.outcomes[index] = outcome;
    this.#left -= 1;
    if (this.#left === 0) this.#resolve(this.outcomes as PublishOutcome[]);
  }

  settleAll(outcome: PublishOutcome): void {
    for (let index = 0; index < this.outcomes.length; index += 1) this.settle(index, outcome);
  }
}

type Step = { entry: Entry } | { index: number; outcome: PublishOutcome };

/**
 * The messages of one aggregate in one call, in order. Those for one partition are sent together, since a partition
 * keeps their order; one for another partition waits for their confirmation. After a failure the rest is withheld as
 * aborted, and the relay takes them back.
 */
export class AggregateRun {
  stopped = false;
  readonly #call: PublishCall;
  readonly #send: (entry: Entry) => void;
  readonly #steps: Step[] = [];
  readonly #indexes: number[] = [];
  #next = 0;
  #out = 0;
  #to: Destination | null = null;

  constructor(call: PublishCall, send: (entry: Entry) => void) {
    this.#call = call;
    this.#send = send;
  }

  add(index: number, record: KafkaRecord, to: Destination): void {
    this.#indexes.push(index);
    this.#steps.push({ entry: new Entry({ record, to, call: this.#call, index, run: this }) });
  }

  /** A message that cannot be sent; its failure is reported after the messages before it are settled. */
  addOutcome(index: number, outcome: PublishOutcome): void {
    this.#indexes.push(index);
    this.#steps.push({ index, outcome });
  }

  advance(): void {
    while (!this.stopped && this.#next < this.#steps.length) {
      const step = this.#steps[this.#next] as Step;
      if (this.#out > 0 && !("entry" in step && this.#to !== null && isSame(step.entry.to, this.#to))) return;
      this.#next += 1;
      if ("entry" in step) {
        this.#to = step.entry.to;
        this.#out += 1;
        this.#send(step.entry);
      } else {
        this.#call.settle(step.index, step.outcome);
        this.#stop();
      }
    }
  }

  settled(published: boolean): void {
    this.#out -= 1;
    if (!published) this.#stop();
    else if (this.#out === 0) this.advance();
  }

  #stop(): void {
    if (this.stopped) return;
    this.stopped = true;
    for (const index of this.#indexes.slice(this.#next)) this.#call.settle(index, ABORTED);
  }
}

function isSame(left: Destination, right: Destination): boolean {
  return left.partition === right.partition && left.topic === right.topic;
}
