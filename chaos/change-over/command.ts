import { spawn } from "node:child_process";
import { once } from "node:events";
import { setTimeout as delay } from "node:timers/promises";

export interface Ran {
  seconds: number;
  /** How often it was killed before it ended by itself. */
  killed: number;
  output: string;
}

/**
 * `npm run debezium -- orders …` as a process; killed `kills` times after a random time of at most `withinMs`, and run again.
 * Throws if it fails.
 */
export async function runCommand(
  args: string[],
  input: { config: string; kills: number; withinMs: number },
): Promise<Ran> {
  const startedMs = performance.now();
  let killed = 0;
  for (;;) {
    const left = input.kills - killed;
    const { code, output } = await runOnce(args, input.config, left > 0 ? 200 + Math.random() * input.withinMs : null);
    if (code === 0) return { seconds: (performance.now() - startedMs) / 1000, killed, output };
    if (code !== null) throw new Error(`debezium ${args.join(" ")} failed:\n${output}`);
    killed += 1;
  }
}

async function runOnce(args: string[], config: string, killAfterMs: number | null) {
  const child = spawn(process.execPath, ["scripts/debezium.ts", "orders", ...args], {
    env: { ...process.env, OUTBOX_CONFIG: config },
    stdio: ["ignore", "pipe", "pipe"],
  });
  let output = "";
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding("utf8").on("data", (text: string) => {
      output += text;
    });
  const over = new AbortController();
  if (killAfterMs !== null)
    void delay(killAfterMs, undefined, { signal: over.signal }).then(
      () => child.kill("SIGKILL"),
      () => undefined,
    );
  const [code] = (await once(child, "close")) as [number | null];
  over.abort();
  return { code, output };
}
