import type { Connection } from "@platformatic/kafka";
import type { Cluster } from "./cluster.ts";
import type { ProducerIdentity } from "./record-batch.ts";

/** The producer's identity at the brokers: requested on first use, and again once invalid. */
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

  /** Drops an identity whose sequences are no longer known; the next batch uses a new one. */
  spoil(identity: ProducerIdentity): void {
    if (this.#current !== identity) return;
    this.#current = null;
    this.#asked = null;
  }
}
