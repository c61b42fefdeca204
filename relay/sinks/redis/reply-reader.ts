/** An error reply of Redis. */
export class ReplyError extends Error {
  override readonly name = "ReplyError";
}

export type Reply = string | number | null | ReplyError | Reply[];

/** Buffers an incomplete reply, represented by undefined, until its rest arrives. */
export class ReplyReader {
  #bytes: Buffer = Buffer.alloc(0);
  #at = 0;

  /** Returns the replies that these bytes complete. Throws when the bytes are not RESP2. */
  read(bytes: Buffer): Reply[] {
    this.#bytes = this.#bytes.length === 0 ? bytes : Buffer.concat([this.#bytes, bytes]);
    this.#at = 0;
    const replies: Reply[] = [];
    for (;;) {
      const start = this.#at;
      const reply = this.#next();
      if (reply === undefined) {
        this.#bytes = this.#bytes.subarray(start);
        return replies;
      }
      replies.push(reply);
    }
  }

  #next(): Reply | undefined {
    const line = this.#line();
    if (line === undefined) return undefined;
    const text = line.slice(1);
    switch (line[0]) {
      case "+":
        return text;
      case "-":
        return new ReplyError(text);
      case ":":
        return Number(text);
      case "$":
        return this.#bulk(Number(text));
      case "*":
        return this.#array(Number(text));
      default:
        throw new Error("The server does not speak Redis' protocol.");
    }
  }

  #line(): string | undefined {
    const end = this.#bytes.indexOf("\r\n", this.#at, "latin1");
    if (end < 0) return undefined;
    const line = this.#bytes.toString("utf8", this.#at, end);
    this.#at = end + 2;
    return line;
  }

  #bulk(length: number): string | null | undefined {
    if (length < 0) return null;
    const end = this.#at + length;
    if (this.#bytes.length < end + 2) return undefined;
    const text = this.#bytes.toString("utf8", this.#at, end);
    this.#at = end + 2;
    return text;
  }

  #array(length: number): Reply[] | null | undefined {
    if (length < 0) return null;
    const items: Reply[] = [];
    while (items.length < length) {
      const item = this.#next();
      if (item === undefined) return undefined;
      items.push(item);
    }
    return items;
  }
}
