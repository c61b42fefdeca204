// Preloaded by a relay under test: its wall clock is off by RELAY_CLOCK_SHIFT_MS, its monotonic clock is not.
const shiftMs = Number(process.env.RELAY_CLOCK_SHIFT_MS ?? 0);
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
