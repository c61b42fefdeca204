import { type HttpReceiver, type ReceiverAnswer, startHttpReceiver } from "#tests/http-receiver.ts";

interface SinkEvent {
  id: string;
  eventType: string;
  aggregateId: string;
}

/** Null accepts the event. */
export type SinkRule = (event: SinkEvent) => ReceiverAnswer | null;

/** The receiver of one outbox. It records confirmed events by id. */
export class Sink {
  /** Number of confirmations, by event. */
  readonly received = new Map<string, number>();
  #receiver: HttpReceiver;
  #rule: SinkRule = () => null;

  private constructor(receiver: HttpReceiver) {
    this.#receiver = receiver;
    this.#listen();
  }

  static async start(): Promise<Sink> {
    return new Sink(await startHttpReceiver());
  }

  get url(): string {
    return `${this.#receiver.url}/events`;
  }

  answer(rule: SinkRule): void {
    this.#rule = rule;
  }

  /** Accepts everything again. */
  heal(): void {
    this.#rule = () => null;
  }

  /** Refuses connections. */
  async down(): Promise<void> {
    await this.#receiver.close();
  }

  async up(): Promise<void> {
    this.#receiver = await startHttpReceiver({ port: this.#receiver.port });
    this.#listen();
  }

  async close(): Promise<void> {
    await this.#receiver.close();
  }

  #listen(): void {
    this.#receiver.answerWith(({ headers }) => {
      const event = {
        id: String(headers["webhook-id"]),
        eventType: String(headers["event-type"]),
        aggregateId: String(headers["aggregate-id"]),
      };
      const answer = this.#rule(event) ?? { status: 204 };
      if (typeof answer !== "string" && answer.status < 300)
        this.received.set(event.id, (this.received.get(event.id) ?? 0) + 1);
      return answer;
    });
  }
}
