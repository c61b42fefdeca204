import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { ReadRest } from "./read-rest.ts";

describe("a rest between reads", () => {
  beforeEach(() => {
    vi.useFakeTimers();
  });
  afterEach(() => {
    vi.useRealTimers();
  });

  /** `next`: the wait that each read asks for. */
  const open = () => {
    const watermark = { generation: 0 };
    const rest = new ReadRest(watermark);
    let reads = 0;
    const next = async (waitMs: number, during: () => void = () => undefined) => {
      const waited = await rest.between(async () => {
        reads += 1;
        during();
        return waitMs;
      });
      return [waited, reads];
    };
    return { rest, watermark, next };
  };

  test("lets everything else go on four times a second, and reads when it is over", async () => {
    const { next } = open();
    expect(await next(800)).toEqual([250, 1]);
    vi.advanceTimersByTime(700);
    expect(await next(800)).toEqual([100, 1]);
    vi.advanceTimersByTime(100);
    expect(await next(800)).toEqual([250, 2]);
  });

  test("is none where the wait is no longer than usual: whoever comes early may read", async () => {
    const { next } = open();
    expect(await next(250)).toEqual([250, 1]);
    expect(await next(1)).toEqual([1, 2]);
  });

  test.each([
    { happens: "something was announced", doIt: ({ rest }: ReturnType<typeof open>) => rest.end() },
    {
      happens: "rows must be read again",
      doIt: ({ watermark }: ReturnType<typeof open>) => {
        watermark.generation += 1;
      },
    },
  ])("is over early if $happens, also during the read before it", async ({ doIt }) => {
    const opened = open();
    await opened.next(5000);
    doIt(opened);
    expect(await opened.next(5000, () => doIt(opened))).toEqual([250, 2]);
    expect(await opened.next(5000)).toEqual([250, 3]);
    expect(await opened.next(5000)).toEqual([250, 3]);
  });
});
