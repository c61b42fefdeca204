import type { Connection } from "@platformatic/kafka";
import type { Cluster } from "./cluster.ts";
import type { ProducerIdentity } from "./record-batch.ts";

/** Who the producer is to the brokers: asked for when it is first needed, and again when it is worth nothing any more. */
export class Identities {
  readonly #cluster: Cluster;
  #asked: Promise<ProducerIdentity> | null = null;
  #current: ProducerIdentity | null = null;

  constructor(cluster: Cluster) {
    this.#cluster = cluster;
  }

  get(connection: Connection): Promise<ProducerIdentity> {
    if (this.#asked !== null) return this.#asked;
    const asked = this.#cluster.newIdentity(connection);
    this.#asked = asked;
    asked.then(
      (identity) => {
        this.#current = identity;
      },
      () => {
        if (this.#asked === asked) this.#asked = null;
      },
    );
    return asked;
  }

  /** What the brokers know of its sequences is not known any more: the next batch begins with another. */
  spoil(identity: ProducerIdentity): void {
    if (this.#current !== identity) return;
    this.#current = null;
    this.#asked = null;
  }
}
