import type { Notice } from "#db/stores/port/relay/relay-stream.ts";

/** Limits at which reading from the socket stops: notices in memory, and their size in the stream. */
const MOST_NOTICES = 8000;
const MOST_BYTES = 32 * 1024 * 1024;

export interface Received {
  notice: Notice;
  /** Time of arrival on the monotonic clock. */
  atMs: number;
}

/** take: remove and return the notice. drop: remove it as done. leave: keep it in the queue. end: stop searching. */
export type Verdict = "take" | "drop" | "leave" | "end";

/** Notices in the order of the stream until they are taken. */
export class NoticeQueue {
  #queue: Received[] = [];
  /** Order of arrival of the notices, which the keys of one transaction do not show. */
  readonly #arrival = new WeakMap<Notice, number>();
  #arrived = 0;
  readonly #queued = new Set<Notice>();
  #bytes = 0;

  get size(): number {
    return this.#queue.length;
  }
  get isFull(): boolean {
    return this.#queue.length >= MOST_NOTICES || this.#bytes >= MOST_BYTES;
  }
  get isRoomy(): boolean {
    return this.#queue.length <= MOST_NOTICES / 2 && this.#bytes <= MOST_BYTES / 2;
  }

  push(notice: Notice): void {
    if (!this.#arrival.has(notice)) this.#arrival.set(notice, ++this.#arrived);
    this.#queue.push({ notice, atMs: performance.now() });
    this.#queued.add(notice);
    this.#bytes += notice.bytes;
  }

  /** Returns notices to their place in the order, except those already in the queue. */
  putBack(notices: readonly Notice[]): void {
    if (notices.length === 0) return;
    for (const notice of notices) if (!this.#queued.has(notice)) this.push(notice);
    const placeOf = ({ notice }: Received) => this.#arrival.get(notice) ?? 0;
    this.#queue.sort((left, right) => placeOf(left) - placeOf(right));
  }

  /** Goes through the queue from its head; `want` decides on each notice. */
  take(want: (received: Received) => Verdict): { taken: Notice[]; dropped: Notice[] } {
    const [taken, dropped, left] = [[] as Notice[], [] as Notice[], [] as Received[]];
    let at = 0;
    for (; at < this.#queue.length; at += 1) {
      const received = this.#queue[at] as Received;
      const verdict = want(received);
      if (verdict === "end") break;
      if (verdict === "leave") left.push(received);
      else (verdict === "take" ? taken : dropped).push(received.notice);
    }
    if (at > left.length) this.#queue = [...left, ...this.#queue.slice(at)];
    for (const notice of [...taken, ...dropped]) {
      this.#queued.delete(notice);
      this.#bytes -= notice.bytes;
    }
    return { taken, dropped };
  }

  clear(): void {
    this.#queue = [];
    this.#queued.clear();
    this.#bytes = 0;
  }
}
