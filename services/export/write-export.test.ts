import { describe, expect, it } from "vitest";
import { AppError } from "#domain/errors.ts";
import type { ExportEnd, ExportJob } from "./export-job.ts";
import { writeExport } from "./write-export.ts";

const PAGE = 3;

/** `rows` numbers in pages of three; page `fails` cannot be read. */
function jobOf(rows: number, more: Partial<ExportJob<number>> & { fails?: number; missing?: string } = {}) {
  const [read, ends]: [number[], ExportEnd[]] = [[], []];
  const job: ExportJob<number> = {
    format: "ndjson",
    names: ["n"],
    page: async (cursor) => {
      const at = Number(cursor ?? 0);
      read.push(at);
      if (at / PAGE === more.fails) throw new AppError("unavailable", "The database is silent.");
      const numbers = Array.from({ length: Math.min(PAGE, rows - at) }, (_, n) => at + n);
      const nextCursor = at + PAGE < rows ? String(at + PAGE) : null;
      return {
        rows: numbers,
        nextCursor,
        missing: at === 0 ? (more.missing ?? null) : null,
        asOf: `page ${at / PAGE}`,
      };
    },
    cells: (row) => [row],
    begun: async () => undefined,
    ended: async (end) => void ends.push({ ...end }),
    limits: { rows: 1_000, ms: 60_000 },
    ...more,
  };
  return { job, read, ends };
}

async function collect(job: ExportJob<number>) {
  let text = "";
  try {
    for await (const chunk of writeExport(job)) text += chunk;
    return { text, error: null };
  } catch (error) {
    return { text, error };
  }
}

describe("an export", () => {
  it("has every row, and NDJSON says at its end that it is whole", async () => {
    const { job, ends } = jobOf(7);
    const lines = (await collect(job)).text.trimEnd().split("\n");
    expect(lines.slice(0, -1)).toEqual(Array.from({ length: 7 }, (_, n) => `{"n":${n}}`));
    expect(JSON.parse(lines.at(-1) ?? "")).toEqual({
      export: { complete: true, rows: 7, cut: null, readFrom: "page 0", readTo: "page 2" },
    });
    expect(ends).toEqual([{ rows: 7, cut: null, from: "page 0", to: "page 2" }]);
  });

  it("of nothing is whole", async () => {
    const { text } = await collect(jobOf(0, { format: "csv" }).job);
    expect(text).toBe("n\r\n");
  });

  it.each(["csv", "ndjson"] as const)("that an error cuts never looks whole in %s", async (format) => {
    const { job, ends } = jobOf(9, { format, fails: 2 });
    const { text, error } = await collect(job);
    expect(error).toMatchObject({ code: "unavailable" });
    const last = text.trimEnd().split("\n").at(-1) ?? "";
    if (format === "csv") expect(last).toMatch(/^"# cut after 6 rows: The database is silent\./);
    else expect(JSON.parse(last)).toMatchObject({ export: { complete: false, rows: 6 } });
    expect(ends).toMatchObject([{ rows: 6, cut: expect.stringContaining("silent") }]);
  });

  it.each([
    ["a limit", { limits: { rows: 4, ms: 60_000 } }, /at most 4 rows/],
    ["a list that leaves rows out", { missing: "Not every row was read." }, /Not every row/],
  ])("says that %s cut it", async (_, more, reason) => {
    const { job, ends } = jobOf(9, { format: "csv", ...more });
    const { text, error } = await collect(job);
    expect(error).toBeNull();
    expect(text.trimEnd().split("\r\n").at(-1)).toMatch(reason);
    expect(ends).toMatchObject([{ cut: expect.stringMatching(reason) }]);
  });

  it("throws what the first page throws, before anything is written or recorded", async () => {
    const { job, ends } = jobOf(9, { fails: 0 });
    expect(await collect(job)).toMatchObject({ text: "", error: { code: "unavailable" } });
    expect(ends).toEqual([]);
  });

  it("reads the next page only when its text is wanted, and records how far a reader came that left", async () => {
    const { job, read, ends } = jobOf(9);
    const chunks = writeExport(job);
    await chunks.next();
    await chunks.next();
    expect(read).toEqual([0, 3]);
    await chunks.return();
    expect(ends).toMatchObject([{ rows: 3, cut: expect.stringContaining("reader left") }]);
  });

  it("that cannot be recorded does not begin", async () => {
    const { job } = jobOf(3, { begun: () => Promise.reject(new AppError("unavailable", "no audit")) });
    expect(await collect(job)).toMatchObject({ text: "", error: { message: "no audit" } });
  });
});
