// Preloaded by a relay.
import "../../tests/shifted-clock.mjs";

// A process that gets no time misses its deadlines without anybody's doing: it says so, as an explanation.
const STEP_MS = 50;
const STALL_MS = 500;
let lastMs = performance.now();
setInterval(() => {
  const stoodMs = Math.round(performance.now() - lastMs);
  if (stoodMs > STALL_MS) process.stderr.write(`${JSON.stringify({ msg: "stood still", stoodMs })}\n`);
  lastMs = performance.now();
}, STEP_MS).unref();
