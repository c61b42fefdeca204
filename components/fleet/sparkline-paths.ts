import type { Sample } from "#contracts/outbox/snapshot.ts";

interface SparklineInput {
  samples: readonly Sample[];
  fromMs: number;
  toMs: number;
  stepSeconds: number;
  width: number;
  height: number;
}

/** A gap longer than this many steps breaks the line instead of being bridged. */
const GAP_STEPS = 1.9;

/** SVG paths of both rates on a common scale from zero. */
export function sparklinePaths(input: SparklineInput): { in: string; out: string } {
  const rates = input.samples.flatMap((sample) => [sample.inPerSecond ?? 0, sample.outPerSecond ?? 0]);
  const most = Math.max(...rates, Number.MIN_VALUE);
  return { in: pathOf(input, "inPerSecond", most), out: pathOf(input, "outPerSecond", most) };
}

function pathOf(input: SparklineInput, field: "inPerSecond" | "outPerSecond", most: number): string {
  const { samples, fromMs, toMs, width, height, stepSeconds } = input;
  let path = "";
  let lastMs = Number.NEGATIVE_INFINITY;
  for (const sample of samples) {
    const value = sample[field];
    if (value === null) continue;
    const atMs = Date.parse(sample.at);
    const x = (width * (atMs - fromMs)) / (toMs - fromMs);
    const y = height - 1.5 - ((height - 3) * value) / most;
    path += `${atMs - lastMs > stepSeconds * 1000 * GAP_STEPS ? "M" : "L"}${x.toFixed(1)} ${y.toFixed(1)}`;
    lastMs = atMs;
  }
  return path;
}
