import { POOL_SIZES } from "../../port/pool-sizes.ts";
import { ConnectionTurns, type RelayTurns } from "./connection-turns.ts";

/** Connections of an engine, opened as they are needed. */
export interface SharedConnections {
  /** A relay has left; relays have numbers from 1. */
  left(relay: number): void;
  end(): Promise<void>;
}

export interface RelayPoolLimits {
  /** Most connections of all relays together. */
  all?: number | undefined;
  /** Most of one relay. */
  each?: number | undefined;
}

/**
 * The connections that all relays of one store share in a process: opened for the first relay, closed when the last has
 * left.
 */
export class RelayPool<Connections extends SharedConnections> {
  readonly #open: (most: number) => Connections;
  readonly #all: number;
  readonly #each: number;
  readonly #turns: ConnectionTurns;
  readonly #members = new Set<number>();
  #joined = 0;
  #connections: Connections | null = null;

  constructor(
    open: (most: number) => Connections,
    { all = POOL_SIZES.relays, each = POOL_SIZES.relay }: RelayPoolLimits = {},
  ) {
    this.#open = open;
    this.#all = all;
    this.#each = Math.min(each, all);
    this.#turns = new ConnectionTurns({ all, each: this.#each });
  }

  join(): RelayMember<Connections> {
    this.#connections ??= this.#open(this.#all);
    const connections = this.#connections;
    this.#joined += 1;
    const number = this.#joined;
    this.#members.add(number);
    const turns = this.#turns.join();
    return { number, most: this.#each, turns, connections, leave: () => this.#leave(number, turns) };
  }

  async #leave(number: number, turns: RelayTurns): Promise<void> {
    await turns.leave();
    if (!this.#members.delete(number)) return;
    this.#connections?.left(number);
    if (this.#members.size > 0) return;
    const connections = this.#connections;
    this.#connections = null;
    await connections?.end();
  }
}

/** One relay's access to the connections. */
export interface RelayMember<Connections> {
  number: number;
  /** Most connections that it has at once. */
  most: number;
  /** Taken before a connection, and ended after it is given back. */
  turns: RelayTurns;
  connections: Connections;
  /** Resolves when the relay's last turn has ended, and for the last relay when all connections are closed. */
  leave(): Promise<void>;
}
