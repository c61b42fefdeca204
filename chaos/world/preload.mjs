// Preloaded into a relay process.
import "../../tests/shifted-clock.mjs";

// A stalled process misses its deadlines without a fault of the relay, so it reports the stall as an explanation.
const STEP_MS = 50;
const STALL_MS = 500;
let lastMs = performance.now();
setInterval(() => {
  const stoodMs = Math.round(performance.now() - lastMs);
  if (stoodMs > STALL_MS) process.stderr.write(`${JSON.stringify({ msg: "stood still", stoodMs })}\n`);
  lastMs = performance.now();
}, STEP_MS).unref();
