import { Socket } from "node:net";
import type { Connection } from "rabbitmq-client";

/**
 * Lets what is sent within a turn of the event loop leave in one write. The client writes each message by itself, which
 * costs both sides more than the message does. It does not hand out its socket; without one all is written as the client
 * does it, and nothing else changes.
 */
export class GatheredWrites {
  readonly #socket: Socket | undefined;
  #gathering = false;

  constructor(connection: Connection) {
    const socket: unknown = Reflect.get(connection, "_socket");
    if (!(socket instanceof Socket)) return;
    this.#socket = socket;
    // What did not fit into the socket's buffer goes on then, and before it the client's own listener.
    socket.prependListener("drain", () => this.gather());
  }

  /** From now to the end of this turn. */
  gather(): void {
    const socket = this.#socket;
    if (this.#gathering || socket === undefined) return;
    this.#gathering = true;
    // Corks are counted: those of the client, such as for a broker that blocks publishers, stay.
    socket.cork();
    setImmediate(() => {
      this.#gathering = false;
      socket.uncork();
    });
  }
}
