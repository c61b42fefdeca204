const DURATION_STEPS_SECONDS = [
  0.1, 0.2, 0.5, 1, 2, 5, 10, 15, 30, 60, 120, 300, 600, 900, 1800, 3600, 7200, 14_400, 21_600, 43_200, 86_400, 172_800,
];
const TIME_STEPS_SECONDS = [60, 120, 300, 900, 1800, 3600, 7200, 14_400, 21_600];
const MAX_STEPS = 4;

/** Ticks from 0 to at least `max` in at most four round steps. */
export function niceTicks(max: number, minStep = 0): number[] {
  const raw = Math.max(max / MAX_STEPS, minStep, Number.MIN_VALUE * 1e10);
  const magnitude = 10 ** Math.floor(Math.log10(raw));
  const step = [1, 2, 2.5, 5, 10].map((factor) => factor * magnitude).find((candidate) => candidate >= raw * 0.999);
  return ticksTo(max, Math.max(step ?? raw, minStep));
}

/** The same for durations in seconds: steps that read well as seconds, minutes and hours. */
export function niceDurationTicks(maxSeconds: number): number[] {
  const raw = maxSeconds / MAX_STEPS;
  const days = Math.ceil(raw / 86_400) * 86_400;
  return ticksTo(maxSeconds, DURATION_STEPS_SECONDS.find((step) => step >= raw * 0.999) ?? days);
}

/** Round instants inside the range, at most `count`. */
export function timeTicks(fromMs: number, toMs: number, count: number): number[] {
  const raw = (toMs - fromMs) / 1000 / count;
  const stepMs = (TIME_STEPS_SECONDS.find((step) => step >= raw) ?? 43_200) * 1000;
  const ticks: number[] = [];
  for (let at = Math.ceil(fromMs / stepMs) * stepMs; at <= toMs; at += stepMs) ticks.push(at);
  return ticks;
}

function ticksTo(max: number, step: number): number[] {
  const count = Math.max(1, Math.ceil(max / step - 0.001));
  return Array.from({ length: count + 1 }, (_, index) => Number((index * step).toPrecision(12)));
}

/** An axis label for seconds: "0", "0.5 s", "30 s", "5 m", "2 h". */
export function formatAxisDuration(seconds: number): string {
  if (seconds === 0) return "0";
  if (seconds < 60) return `${seconds} s`;
  if (seconds < 3600) return `${trim(seconds / 60)} m`;
  return seconds < 86_400 ? `${trim(seconds / 3600)} h` : `${trim(seconds / 86_400)} d`;
}

function trim(value: number): string {
  return value.toFixed(1).replace(/\.0$/, "");
}
