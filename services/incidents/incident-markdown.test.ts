import { expect, test } from "vitest";
import type { IncidentDetail } from "#contracts/watch/incidents.ts";
import { incidentMarkdown } from "./incident-markdown.ts";

const entry = { kind: "note", tone: "neutral", outbox: null, by: "ben", detail: null, href: null } as const;
const INCIDENT: IncidentDetail = {
  id: 14,
  title: "Kafka refuses | connections",
  since: "2026-11-22T02:51:06.000000Z",
  openedAt: "2026-11-22T02:58:12.000000Z",
  openedBy: "ben",
  lead: { name: "ben", since: "2026-11-22T02:58:12.000000Z" },
  outboxes: ["orders"],
  group: null,
  ended: { at: "2026-11-22T03:11:06.000000Z", by: "ana", outcome: "disk freed" },
  timeline: [
    { ...entry, at: "2026-11-22T03:04:40.000000Z", text: "The disk is full;\n![x](http://evil) <img src=x>" },
    { ...entry, at: "2026-11-22T02:48:30.000000Z", kind: "deploy", text: "Deploy kafka-config 7", by: null },
  ],
  gaps: ["The store shop does not answer: its operations and pauses are missing."],
  asOf: "2026-11-22T03:12:00.000000Z",
};

test("an incident as Markdown has its facts, one table, oldest first, and says what is missing", () => {
  expect(incidentMarkdown(INCIDENT)).toBe(
    [
      "# Incident 14: Kafka refuses \\| connections",
      "",
      "- Since 2026-11-22 02:51:06 UTC; ended 2026-11-22 03:11:06 UTC by ana, after 20 m 00 s",
      "- Opened by ben; ben leads",
      "- Outboxes: orders",
      "- Outcome: disk freed",
      "",
      "| UTC | outbox | what | who |",
      "|---|---|---|---|",
      "| 2026-11-22 02:48:30 |  | Deploy kafka-config 7 |  |",
      "| 2026-11-22 03:04:40 |  | The disk is full; !\\[x\\](http://evil) &lt;img src=x> | ben |",
      "",
      "Missing here:",
      "",
      "- The store shop does not answer: its operations and pauses are missing.",
      "",
      "As of 2026-11-22 03:12:00 UTC.",
      "",
    ].join("\n"),
  );
});
