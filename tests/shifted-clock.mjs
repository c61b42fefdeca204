// Preloaded into a program: shifts its wall clock by CLOCK_SHIFT_MS. The monotonic clock stays, as on a real machine.
const shiftMs = Number(process.env.CLOCK_SHIFT_MS ?? 0);
const RealDate = Date;

if (shiftMs !== 0) {
  globalThis.Date = class extends RealDate {
    // Code that wraps Date copies its static properties.
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
