import { test } from "vitest";
import { expectCauseFirst, type Incident } from "./incident.fixture.ts";
import { DEAD, FIGURES } from "./situation.fixture.ts";

/** More dead messages than are read: what is counted among the newest is "at least". */
const INCIDENTS: Incident[] = [
  [
    "more dead messages than are read, all of the last minute",
    {
      figures: { dead: 12_345, judged: { ...FIGURES.judged, dead: "fail" } },
      facts: { dead: [{ ...DEAD, messages: 10_000, capped: true, lastMinute: 10_000 }] },
    },
    "dead_letters",
    "in_part",
    "fail",
    /^at least 10,000 messages of invoice\.rendered are dead \(HTTP 422: no such customer\); at least 10,000 in the last minute$/,
  ],
  [
    "more dead messages than are read, of which some died earlier",
    {
      figures: { dead: 12_345, judged: { ...FIGURES.judged, dead: "fail" } },
      facts: { dead: [{ ...DEAD, messages: 10_000, capped: true, lastMinute: 38 }] },
    },
    "dead_letters",
    "in_part",
    "fail",
    /^at least 10,000 messages of invoice\.rendered are dead .*\); 38 in the last minute$/,
  ],
];

test.each(INCIDENTS)("%s", expectCauseFirst);
