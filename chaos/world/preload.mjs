// Preloaded by a relay: its wall clock is off by CHAOS_CLOCK_SHIFT_MS. The monotonic clock stays, as on a real machine.
const shiftMs = Number(process.env.CHAOS_CLOCK_SHIFT_MS ?? 0);
const RealDate = Date;

globalThis.Date = class extends RealDate {
  constructor(...parts) {
    if (parts.length === 0) super(RealDate.now() + shiftMs);
    else super(...parts);
  }

  static now() {
    return RealDate.now() + shiftMs;
  }
};

// A process that gets no time misses its deadlines without anybody's doing: it says so, as an explanation.
const STEP_MS = 50;
const STALL_MS = 500;
let lastMs = performance.now();
setInterval(() => {
  const stoodMs = Math.round(performance.now() - lastMs);
  if (stoodMs > STALL_MS) process.stderr.write(`${JSON.stringify({ msg: "stood still", stoodMs })}\n`);
  lastMs = performance.now();
}, STEP_MS).unref();
