import type { Socket } from "node:net";

/** One direction of a connection: passes bytes on in order, immediately, delayed or held. */
export class Flow {
  readonly #to: Socket;
  #queue: { chunk: Buffer; dueMs: number }[] = [];
  #held = false;
  #ended = false;
  #timer: NodeJS.Timeout | undefined;
  delayMs = 0;

  constructor(from: Socket, to: Socket) {
    this.#to = to;
    from.on("data", (chunk: Buffer) => this.#take(chunk));
    // A reset and an end both mean "no more data"; the other side sees them after the bytes in flight.
    from.on("error", () => undefined);
    from.on("close", () => {
      this.#ended = true;
      this.#flush();
    });
  }

  hold(held: boolean): void {
    this.#held = held;
    this.#flush();
  }

  /** Drops the bytes in flight. */
  drop(): void {
    this.#queue = [];
    clearTimeout(this.#timer);
  }

  #take(chunk: Buffer): void {
    this.#queue.push({ chunk, dueMs: performance.now() + this.delayMs });
    this.#flush();
  }

  #flush(): void {
    clearTimeout(this.#timer);
    if (this.#held) return;
    while (this.#queue[0] && this.#queue[0].dueMs <= performance.now()) {
      const next = this.#queue.shift();
      if (next && this.#to.writable) this.#to.write(next.chunk);
    }
    const [waiting] = this.#queue;
    if (waiting) this.#timer = setTimeout(() => this.#flush(), Math.ceil(waiting.dueMs - performance.now()));
    else if (this.#ended) this.#to.destroySoon();
  }
}
