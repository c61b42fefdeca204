const WAVE_SECONDS = 240;
const BURST_EVERY_SECONDS = 420;
const BURST_SECONDS = 4;

/** The shop's target rate in events per second: a slow wave between 5 and 50, with an occasional short burst of 150. */
export function eventRateAt(elapsedSeconds: number): number {
  if (elapsedSeconds >= BURST_EVERY_SECONDS && elapsedSeconds % BURST_EVERY_SECONDS < BURST_SECONDS) return 150;
  const wave = (1 + Math.sin((2 * Math.PI * elapsedSeconds) / WAVE_SECONDS)) / 2;
  return 5 + 45 * wave ** 2;
}
