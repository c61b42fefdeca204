import { setTimeout as delay } from "node:timers/promises";
import type { OwnBroker } from "#tests/brokers/broker.ts";
import { startBroker } from "#tests/brokers/start-broker.ts";
import { type Line, openLine } from "../world/line.ts";
import { CANDIDATES, type Candidate, type Runnable } from "./contenders/open-contender.ts";
import type { SoakOptions } from "./options.ts";
import { kafkaSide } from "./sides/kafka-side.ts";
import { redisSide } from "./sides/redis-side.ts";
import { byLane, type Side } from "./sides/side.ts";
import { HALVES } from "./soak-message.ts";
import type { SoakStep } from "./soak-schedule.ts";

/** One broker for both candidates, each with its own line to it and its own topic. */
export class SoakWorld {
  readonly #broker: OwnBroker;
  readonly #side: Side;
  readonly #lines: Record<Candidate, Line>;

  private constructor(broker: OwnBroker, side: Side, lines: Record<Candidate, Line>) {
    this.#broker = broker;
    this.#side = side;
    this.#lines = lines;
  }

  /** @throws BrokerUnavailable */
  static async open({ sink, say }: Pick<SoakOptions, "sink" | "say">): Promise<SoakWorld> {
    let side: Side | undefined;
    let broker: OwnBroker | undefined;
    const targetOf = (index: number) => () => (side && broker ? side.portOf(index, broker) : 0);
    const [ours, library] = await Promise.all([openLine(targetOf(0)), openLine(targetOf(1))]);
    const lines = { ours, library };
    try {
      side = sink === "kafka" ? await kafkaSide([ours.port, library.port]) : redisSide();
      broker = await startBroker(sink, { settings: side.settings, onProgress: say });
      await side.prepare(broker, CANDIDATES.flatMap(topicsOf));
      return new SoakWorld(broker, side, lines);
    } catch (error) {
      await Promise.all([ours.close(), library.close(), broker?.remove()]);
      throw error;
    }
  }

  get version(): string | null {
    return this.#broker.version;
  }

  portOf(candidate: Candidate): number {
    return this.#lines[candidate].port;
  }

  /** Both candidates suffer the fault at the same moment. Resolves when it is over. */
  async suffer({ kind, forMs }: SoakStep): Promise<void> {
    const lines = Object.values(this.#lines);
    if (kind === "half") {
      const refused = CANDIDATES.map((candidate) => topicsOf(candidate)[1]);
      await this.#side.refuse?.(this.#broker, refused, true);
      await delay(forMs);
      await this.#side.refuse?.(this.#broker, refused, false);
      return;
    }
    if (kind === "stop" || kind === "kill") {
      await this.#broker[kind]();
      await delay(forMs);
      await this.#broker.start();
      return;
    }
    if (kind === "cut") {
      for (const line of lines) line.cut();
      return;
    }
    await Promise.all(lines.map((line) => line.set(PASSING[kind])));
    await delay(forMs);
    if (kind.endsWith("-cut")) for (const line of lines) line.cut();
    await Promise.all(lines.map((line) => line.set("open")));
  }

  /** The numbers in a candidate's topics, by lane, in the order of their arrival. */
  async read(candidate: Candidate, lanes: number): Promise<number[][]> {
    const { received, add } = byLane(lanes);
    for (const topic of topicsOf(candidate)) await this.#side.read(this.#broker, topic, add);
    return received;
  }

  async close(): Promise<void> {
    await Promise.all(Object.values(this.#lines).map((line) => line.close()));
    await this.#broker.remove();
  }
}

const PASSING = {
  pause: "hang",
  "pause-cut": "hang",
  swallow: "no-answers",
  "swallow-cut": "no-answers",
  refuse: "refuse",
} as const;

export function topicOf(candidate: Runnable): string {
  return `soak-${candidate}`;
}

function topicsOf(candidate: Candidate): [even: string, odd: string] {
  const [even, odd] = HALVES;
  return [`${topicOf(candidate)}-${even}`, `${topicOf(candidate)}-${odd}`];
}
