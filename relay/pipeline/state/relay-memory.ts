import type { RelayTable } from "#db/stores/port/relay/relay-table.ts";
import { Breaker } from "./breaker.ts";
import { LateCommits } from "./late-commits.ts";
import { Routes } from "./routes.ts";

/** What one process knows of its outbox beyond a term: a new term of the same process begins with it. */
export class RelayMemory {
  readonly breaker = new Breaker();
  readonly routes: Routes;
  /** By message id: how often the sink went away while it was with it. */
  readonly falls = new Map<string, number>();
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

  /** Messages went out that could not be marked: they come again, and are not late. */
  forgetOrder(): void {
    this.#late = new LateCommits(this.#compare);
  }
}
