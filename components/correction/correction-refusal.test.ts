import { expect, test } from "vitest";
import type { ActionScope } from "#components/action/plan-action.ts";
import { correctionRefusal } from "#components/message/correction-refusal.ts";
import type { MessageDetail } from "#contracts/message/messages.ts";
import { effectsOf } from "./what-it-does.tsx";

const SCOPE = {
  actor: { name: "ada", role: "admin" },
  outbox: { mode: "relay", capabilities: { corrections: { possible: true, reason: null } } },
} as unknown as ActionScope;
const DETAIL = {
  message: { state: "dead", aggregateId: "order-1" },
  payload: { text: "{}", format: "json", truncated: false },
  correction: { copyId: null, originalId: null },
  sightings: [],
  laterPublished: 0,
} as unknown as MessageDetail;

test("an admin may correct a dead message whose payload is whole text, and is told why not otherwise", () => {
  expect(correctionRefusal(DETAIL, SCOPE)).toBeUndefined();
  const refusals: [Partial<MessageDetail>, Partial<ActionScope>, RegExp][] = [
    [{}, { actor: { name: "olga", role: "operator" } }, /needs admin/],
    [{}, { silent: true }, /does not answer/],
    [{ correction: { copyId: "c-1", originalId: null } }, {}, /sent already: c-1/],
    [{ message: { ...DETAIL.message, state: "in_flight" } }, {}, /this one is in flight/],
    [{ payload: { ...DETAIL.payload!, format: "base64" } }, {}, /bytes, not text/],
    [{ payload: { ...DETAIL.payload!, truncated: true } }, {}, /too long/],
    [{ payload: null }, {}, /no payload/],
  ];
  for (const [detail, scope, reason] of refusals)
    expect(correctionRefusal({ ...DETAIL, ...detail }, { ...SCOPE, ...scope })).toMatch(reason);
});

test("what is out already, and who has processed the original, is said before the copy is sent", () => {
  const texts = (detail: Partial<MessageDetail>) =>
    effectsOf({ ...DETAIL, ...detail }).map(({ title, text }) => `${title}: ${text}`);
  expect(texts({ laterPublished: 2 })[1]).toMatch(
    /^2 later messages are out already: The copy goes to the end of order-1/,
  );
  expect(texts({})[1]).toContain("no later message is out yet");
  expect(texts({ laterPublished: null })[1]).toContain("not known");
  const seenAs = (state: MessageDetail["sightings"][number]["state"], inbox = "loyalty") => ({
    ...{ inbox, state },
    consumer: null,
    at: null,
  });
  expect(texts({ sightings: [seenAs("processed")] })[0]).toContain("will process the copy too (loyalty)");
  const mixed = [seenAs("processed"), seenAs("unknown", "search")];
  expect(texts({ sightings: mixed })[0]).toMatch(
    /too \(loyalty\)\. Whether search processed the original is not known\.$/,
  );
  expect(texts({ sightings: [seenAs("not_seen"), seenAs("received")] })[0]).toContain(
    "No inbox has processed the original.",
  );
  for (const sightings of [[], [seenAs("unknown")], [seenAs("not_seen"), seenAs("untracked")]]) {
    expect(texts({ sightings })[0]).toContain("not known");
    expect(texts({ sightings })[0]).not.toContain("No inbox has processed");
    expect(effectsOf({ ...DETAIL, sightings })[0]?.warns).toBe(true);
  }
});
