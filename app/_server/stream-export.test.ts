import { expect, test, vi } from "vitest";
import type { OpenExport } from "#services/export/export-job.ts";
import { streamExport } from "./stream-export.ts";

vi.mock("server-only", () => ({}));

/** An export of endless lines that notes what was asked of it. */
function endless() {
  const asked = { chunks: 0, ended: false };
  const chunks: OpenExport["chunks"] = {
    next: async () => ({ done: false, value: `line ${++asked.chunks}\n` }),
    return: async () => {
      asked.ended = true;
      return { done: true, value: undefined };
    },
  };
  return { asked, file: { fileName: "orders.csv", contentType: "text/csv", chunks } };
}

test("nothing is made before it is wanted, and each chunk only when the last one was taken", async () => {
  const { asked, file } = endless();
  const reader = streamExport(file, "id").body?.getReader();
  expect(asked.chunks).toBe(0);
  await reader?.read();
  await reader?.read();
  expect(asked.chunks).toBe(2);
  await reader?.cancel();
  expect(asked.ended).toBe(true);
});

test("an export whose reader stops reading is given up on", async () => {
  const { asked, file } = endless();
  const reader = streamExport(file, "id", 5).body?.getReader();
  await reader?.read();
  await expect.poll(() => asked.ended).toBe(true);
  await expect(reader?.read()).rejects.toThrow("stopped reading");
});

test("an answer that nobody ever reads is given up on too", async () => {
  const { asked, file } = endless();
  streamExport(file, "id", 5);
  await expect.poll(() => asked.ended).toBe(true);
  expect(asked.chunks).toBe(0);
});
