import { pino } from "pino";
import { expect, test } from "vitest";
import type { SeenTerm } from "#db/stores/port/relay/share-view.ts";
import { SilentTerms } from "./silent-terms.ts";

const TERM: SeenTerm = { owner: "other", epoch: 4, leaseMs: 6000, seen: "12:00:06" };

function watch() {
  const ended: SeenTerm[] = [];
  const endTerm = async (term: SeenTerm) => ended.push(term) > 0;
  const silent = new SilentTerms({ table: { endTerm }, id: "me", log: pino({ enabled: false }) });
  const look = (atMs: number, term: Partial<SeenTerm> = {}, slowMs = 0) =>
    silent.look([{ ...TERM, ...term }], { askedAtMs: atMs, answeredAtMs: atMs + slowMs });
  return { ended, look };
}

test("a term that is not renewed for longer than its lease is ended", async () => {
  const { ended, look } = watch();
  for (let atMs = 0; atMs < 8000; atMs += 1000) await look(atMs);
  expect(ended).toEqual([]);
  await look(8000);
  expect(ended).toEqual([TERM]);
});

test("each renewal, and a new term, begin the wait anew", async () => {
  const { ended, look } = watch();
  for (let atMs = 0; atMs < 60_000; atMs += 1000) await look(atMs, { seen: String(Math.floor(atMs / 7000)) });
  for (let atMs = 60_000; atMs < 120_000; atMs += 1000) await look(atMs, { epoch: Math.floor(atMs / 7000) });
  expect(ended).toEqual([]);
});

test("it counts from the answer that showed the term: a renewal may have come while it was on its way", async () => {
  const { ended, look } = watch();
  await look(0, {}, 5000);
  await look(12_999);
  expect(ended).toEqual([]);
  await look(13_000);
  expect(ended).toHaveLength(1);
});

test("neither the own term is ended nor one whose length is not known", async () => {
  const { ended, look } = watch();
  for (const term of [{ owner: "me" }, { leaseMs: null }]) for (const atMs of [0, 60_000]) await look(atMs, term);
  expect(ended).toEqual([]);
});
