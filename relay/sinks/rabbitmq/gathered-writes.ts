import { Socket } from "node:net";
import type { Connection } from "rabbitmq-client";

/**
 * Gathers all sends of one event-loop turn into one write. The client writes each message separately, which costs both
 * sides more than the message itself. The client does not expose its socket; where it is not found, writes stay as they
 * are.
 */
export class GatheredWrites {
  readonly #socket: Socket | undefined;
  #gathering = false;

  constructor(connection: Connection) {
    const socket: unknown = Reflect.get(connection, "_socket");
    if (!(socket instanceof Socket)) return;
    this.#socket = socket;
    // Runs before the client's own listener, which then writes what did not fit into the socket's buffer.
    socket.prependListener("drain", () => this.gather());
  }

  /** Gathers from now until the end of this turn. */
  gather(): void {
    const socket = this.#socket;
    if (this.#gathering || socket === undefined) return;
    this.#gathering = true;
    // Corks are counted, so the client's own corks, such as for a broker that blocks publishers, stay in place.
    socket.cork();
    setImmediate(() => {
      this.#gathering = false;
      socket.uncork();
    });
  }
}
