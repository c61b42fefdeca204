import type { RelayTable } from "#db/stores/port/relay/relay-table.ts";
import { Breaker } from "./breaker.ts";
import { LateCommits } from "./late-commits.ts";
import { Routes } from "./routes.ts";

/** A process's memory of its outbox, kept from one term to the next. */
export class RelayMemory {
  readonly breaker = new Breaker();
  readonly routes: Routes;
  /**
   * By message id: number of times that the sink failed while it had the message, or refused it while others got
   * through.
   */
  readonly sinkFailures = new Map<string, number>();
  readonly #compare: RelayTable["compareOrder"];
  #late: LateCommits;

  constructor(compare: RelayTable["compareOrder"], topicOf?: ConstructorParameters<typeof Routes>[0]) {
    this.#compare = compare;
    this.routes = new Routes(topicOf);
    this.#late = new LateCommits(compare);
  }

  get late(): LateCommits {
    return this.#late;
  }

  /** Some published messages could not be marked: they are published again, and are not late. */
  forgetOrder(): void {
    this.#late = new LateCommits(this.#compare);
  }
}
