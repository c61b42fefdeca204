import { IteratorExpiredError, type Shard, type StreamCalls, type StreamRecord, TrimmedError } from "./stream-calls.ts";

interface FakeShard {
  parent: string | null;
  sequences: number[];
  open: boolean;
}

/** A stream whose shards split and are trimmed when a test says so: no local server does that. */
export class FakeStream implements StreamCalls {
  readonly #shards = new Map<string, FakeShard>();
  #sequence = 0;
  #trimmed = 0;
  #generation = 0;

  add(id: string, parent: string | null = null): void {
    this.#shards.set(id, { parent, sequences: [], open: true });
  }

  /** Writes so many records into a shard; returns their sequence numbers. */
  write(id: string, count = 1): string[] {
    const written = Array.from({ length: count }, () => ++this.#sequence);
    this.#of(id).sequences.push(...written);
    return written.map(textOf);
  }

  /** Closes a shard, whose items go on in its children. */
  split(id: string, ...children: string[]): void {
    this.#of(id).open = false;
    for (const child of children) this.add(child, id);
  }

  /** Removes all records so far, and closed shards with them. */
  trim(): void {
    this.#trimmed = this.#sequence;
    for (const [id, { open }] of this.#shards) if (!open) this.#shards.delete(id);
  }

  /** Expires every iterator handed out so far. */
  expireIterators(): void {
    this.#generation += 1;
  }

  async shards(): Promise<Shard[]> {
    return [...this.#shards].map(([id, { parent }]) => ({ id, parent }));
  }

  async iterator(_arn: string, id: string, after: string | null): Promise<string> {
    this.#of(id);
    if (after !== null && Number(after) < this.#trimmed) throw new TrimmedError("trimmed");
    return JSON.stringify([id, after === null ? this.#trimmed : Number(after), this.#generation]);
  }

  async records(iterator: string) {
    const [id, after, generation] = JSON.parse(iterator) as [string, number, number];
    if (generation !== this.#generation) throw new IteratorExpiredError("expired");
    const { sequences, open } = this.#of(id);
    const [first] = sequences.filter((sequence) => sequence > Math.max(after, this.#trimmed));
    const next = JSON.stringify([id, first ?? after, this.#generation]);
    const isLast = !open && (first === undefined || first === sequences.at(-1));
    return { records: first === undefined ? [] : [recordOf(first)], next: isLast ? null : next };
  }

  close(): void {
    this.#shards.clear();
  }

  #of(id: string): FakeShard {
    const shard = this.#shards.get(id);
    if (!shard) throw new TrimmedError(`The shard ${id} is gone.`);
    return shard;
  }
}

function textOf(sequence: number): string {
  return String(sequence).padStart(21, "0");
}

function recordOf(sequence: number): StreamRecord {
  return { sequence: textOf(sequence), kind: "INSERT", image: {}, writtenAtMs: sequence, bytes: 1 };
}
