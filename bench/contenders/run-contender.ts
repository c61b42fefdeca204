import { type ChildProcess, fork } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";
import type { Target } from "../target.ts";
import type { ContenderName } from "./contender.ts";
import type { ContenderCommand, ContenderReport } from "./contender-process.ts";

export interface RunningContender {
  /** CPU time of all its processes since they were loaded, µs. */
  cpuMicros(): Promise<number>;
  stop(): Promise<void>;
}

/** Starts `instances` processes of a contender; resolves when all have begun. `load` runs before the clock starts. */
export async function loadContender(input: {
  name: ContenderName;
  url: string;
  target: Target;
  instances?: number;
}): Promise<{ start(): Promise<RunningContender> }> {
  const children = await Promise.all(Array.from({ length: input.instances ?? 1 }, load));
  const { name, url, target } = input;
  return {
    async start() {
      await Promise.all(
        children.map((child, instance) => ask(child, { kind: "start", name, url, target, instance }, "started")),
      );
      return {
        async cpuMicros() {
          const usages = await Promise.all(children.map((child) => ask(child, { kind: "usage" }, "usage")));
          return usages.reduce((total, usage) => total + usage.cpuMicros, 0);
        },
        async stop() {
          await Promise.all(children.map((child) => ask(child, { kind: "stop" }, "stopped")));
        },
      };
    },
  };
}

async function load(): Promise<ChildProcess> {
  const child = fork(fileURLToPath(new URL("./contender-process.ts", import.meta.url)));
  await report(child, "loaded");
  return child;
}

async function ask<Kind extends ContenderReport["kind"]>(child: ChildProcess, command: ContenderCommand, kind: Kind) {
  const answer = report(child, kind);
  child.send(command);
  return answer;
}

/** Rejects if the process exits first. */
async function report<Kind extends ContenderReport["kind"]>(child: ChildProcess, kind: Kind) {
  const over = new AbortController();
  const died = once(child, "exit", { signal: over.signal }).then(([code]) => {
    throw new Error(`A contender ended with exit code ${code}.`);
  });
  // Aborted at the end, when nothing awaits it any more.
  died.catch(() => undefined);
  try {
    for (;;) {
      const [message] = (await Promise.race([once(child, "message", { signal: over.signal }), died])) as [
        ContenderReport,
      ];
      if (message.kind === kind) return message as Extract<ContenderReport, { kind: Kind }>;
    }
  } finally {
    over.abort();
  }
}
