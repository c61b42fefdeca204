import { spawn } from "node:child_process";
import { once } from "node:events";
import { setTimeout as delay } from "node:timers/promises";

export interface Ran {
  seconds: number;
  /** Number of kills before it completed. */
  killed: number;
  /** Number of database crashes during its runs. */
  crashed: number;
  output: string;
}

interface RunInput {
  config: string;
  /** Number of kills, each at most `withinMs` after a start. */
  kills: number;
  /** Number of database crashes, at the same times. The command may then fail, and is run again. */
  crashes: number;
  withinMs: number;
  /** Resolves once the database answers again. */
  crash(): Promise<void>;
}

/**
 * Runs `npm run debezium -- orders …` until it succeeds, again after each kill or crash. Throws if it fails without
 * either.
 */
export async function runCommand(args: string[], input: RunInput): Promise<Ran> {
  const startedMs = performance.now();
  let [killed, crashed] = [0, 0];
  for (;;) {
    const kill = killed < input.kills;
    const run = start(args, input.config);
    const over = new AbortController();
    const signal = over.signal;
    const disturbed = kill ? killOnce(input, run, signal) : crashOften(input, input.crashes - crashed, signal);
    const { code, output } = await run.ended;
    over.abort();
    const times = await disturbed;
    if (kill) killed += times;
    else crashed += times;
    if (code === 0) return { seconds: (performance.now() - startedMs) / 1000, killed, crashed, output };
    if (times === 0) throw new Error(`debezium ${args.join(" ")} failed:\n${output}`);
  }
}

async function killOnce({ withinMs }: RunInput, run: Running, over: AbortSignal): Promise<number> {
  if (!(await stillRuns(withinMs, over))) return 0;
  run.kill();
  return 1;
}

/** Lets the database crash up to `most` times while the command runs. */
async function crashOften({ withinMs, crash }: RunInput, most: number, over: AbortSignal): Promise<number> {
  let times = 0;
  while (times < most && (await stillRuns(withinMs, over))) {
    times += 1;
    await crash();
  }
  return times;
}

/** True after a random time; false as soon as the command has ended. */
function stillRuns(withinMs: number, over: AbortSignal): Promise<boolean> {
  return delay(200 + Math.random() * withinMs, true, { signal: over }).catch(() => false);
}

interface Running {
  kill(): void;
  ended: Promise<{ code: number | null; output: string }>;
}

function start(args: string[], config: string): Running {
  const child = spawn(process.execPath, ["scripts/debezium.ts", "orders", ...args], {
    env: { ...process.env, OUTBOX_CONFIG: config },
    stdio: ["ignore", "pipe", "pipe"],
  });
  let output = "";
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding("utf8").on("data", (text: string) => {
      output += text;
    });
  const ended = once(child, "close").then(([code]) => ({ code: code as number | null, output }));
  return { kill: () => void child.kill("SIGKILL"), ended };
}
