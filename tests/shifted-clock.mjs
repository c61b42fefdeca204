// Preloaded by a program: its wall clock is off by CLOCK_SHIFT_MS. The monotonic clock stays, as on a real machine.
const shiftMs = Number(process.env.CLOCK_SHIFT_MS ?? 0);
const RealDate = Date;

if (shiftMs !== 0) {
  globalThis.Date = class extends RealDate {
    // Who wraps Date copies what it has of its own.
    static parse = RealDate.parse;
    static UTC = RealDate.UTC;

    constructor(...parts) {
      if (parts.length === 0) super(RealDate.now() + shiftMs);
      else super(...parts);
    }

    static now() {
      return RealDate.now() + shiftMs;
    }
  };
}
