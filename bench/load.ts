import { fork } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";
import type { LoadCommand, LoadReport, Timing } from "./load-process.ts";

export interface Load {
  sinkUrl: string;
  /** Sets the receiver's response time from now on, ms. */
  answerAfter(ms: number): void;
  /** Commits events one after another for the warm-up and the measurement; `onWarm` is called between the two. */
  produce(
    input: { url: string; perSecond: number; warmUpSeconds: number; seconds: number },
    onWarm: () => Promise<unknown>,
  ): Promise<{ timings: Timing[]; missing: number }>;
  /**
   * Receives the messages of the benchmark's Kafka topic, which is still empty, until the returned function ends it.
   */
  follow(brokers: string[]): Promise<() => Promise<void>>;
  stop(): Promise<void>;
}

export async function startLoad(): Promise<Load> {
  const child = fork(fileURLToPath(new URL("./load-process.ts", import.meta.url)));
  const next = async <Kind extends LoadReport["kind"]>(kind: Kind) => {
    for (;;) {
      const [report] = (await once(child, "message")) as [LoadReport];
      if (report.kind === kind) return report as Extract<LoadReport, { kind: Kind }>;
    }
  };
  const { port } = await next("listening");
  const send = (command: LoadCommand) => child.send(command);
  return {
    sinkUrl: `http://127.0.0.1:${port}/events`,
    answerAfter: (ms) => void send({ kind: "delay", ms }),
    async produce(input, onWarm) {
      const warm = next("warm").then(onWarm);
      const produced = next("produced");
      send({ kind: "produce", ...input });
      await warm;
      return produced;
    },
    async follow(brokers) {
      const following = next("following");
      send({ kind: "follow", brokers });
      await following;
      return async () => {
        const unfollowed = next("unfollowed");
        send({ kind: "unfollow" });
        await unfollowed;
      };
    },
    async stop() {
      const ended = once(child, "exit");
      child.disconnect();
      await ended;
    },
  };
}
