/** How many messages of each claim are in memory. */
export class ClaimCounts {
  readonly #claims = new Map<string, Counted>();
  /** The claim last asked for: messages come and go by whole claims, which spares most of them a search. */
  #last: Counted = { token: "", messages: 0 };

  /** Tokens of the claims that have a message in memory. */
  tokens(): string[] {
    return [...this.#claims.keys()];
  }

  add(token: string): void {
    this.#of(token).messages += 1;
  }

  remove(token: string): void {
    const claim = this.#of(token);
    claim.messages -= 1;
    if (claim.messages > 0) return;
    this.#claims.delete(token);
    this.#last = { token: "", messages: 0 };
  }

  /** Tokens that have no message left once these are removed. */
  endedBy(messages: readonly { token: string }[]): string[] {
    const counts = new Map<string, Counted>();
    let last: Counted | undefined;
    for (const { token } of messages) {
      if (last?.token !== token) {
        last = counts.get(token) ?? { token, messages: 0 };
        counts.set(token, last);
      }
      last.messages += 1;
    }
    const ended = [...counts.values()].filter(({ token, messages }) => this.#claims.get(token)?.messages === messages);
    return ended.map(({ token }) => token);
  }

  #of(token: string): Counted {
    if (this.#last.token === token) return this.#last;
    const claim = this.#claims.get(token) ?? { token, messages: 0 };
    if (claim.messages === 0) this.#claims.set(token, claim);
    this.#last = claim;
    return claim;
  }
}

interface Counted {
  readonly token: string;
  messages: number;
}
