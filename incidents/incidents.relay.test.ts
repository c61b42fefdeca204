import { beforeAll, describe, expect, test } from "vitest";
import { EVERYTHING } from "#tests/test-depth.ts";
import { ensureBuilt } from "../scripts/lib/ensure-built.mjs";
import { ALL_INCIDENTS } from "./catalog/all-incidents.ts";
import { isInDepth } from "./catalog/in-depth.ts";
import { reportProblems, reportTable } from "./report.ts";
import type { IncidentResult } from "./run-incident.ts";
import { runIncidents } from "./run-incidents.ts";

/** Four minutes on a machine that does nothing else. */
const BUILDS_AND_RUNS_WITHIN_MS = 1_200_000;

const INCIDENTS = ALL_INCIDENTS.filter(({ name }) => EVERYTHING || !isInDepth(name));

describe("incidents, each produced for real", () => {
  let results: IncidentResult[] = [];

  beforeAll(async () => {
    await ensureBuilt();
    results = await runIncidents(INCIDENTS, { browser: true, report: () => undefined });
    console.log(`\n${reportTable(results)}`);
  }, BUILDS_AND_RUNS_WITHIN_MS);

  test.for(INCIDENTS.map(({ name }) => name))(
    "%s: every surface says what is wrong, and nothing is lost",
    (name, { skip }) => {
      const result = results.find((one) => one.name === name);
      expect(result, "it was run").toBeDefined();
      if (result?.unavailable) skip(`no MySQL: ${result.unavailable}`);
      if (result) expect(result.problems, reportProblems(result)).toEqual([]);
    },
  );
});
