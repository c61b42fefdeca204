import { expect, test } from "vitest";
import { StoreError } from "#db/stores/port/store-error.ts";
import { serializeError } from "./open-log.ts";

const said = (error: unknown) => (serializeError(error) as { message: string }).message;

test("an error and its causes are one sentence, with one mark between two of them", () => {
  const refused = new Error("connect ECONNREFUSED 127.0.0.1:5432");
  const silent = new StoreError("unreachable", "unavailable", "The database of outbox orders does not answer.", {
    cause: refused,
  });
  expect(said(silent)).toBe("The database of outbox orders does not answer: connect ECONNREFUSED 127.0.0.1:5432");
  expect(said(new Error("Trying again:", { cause: silent }))).toBe(
    "Trying again: The database of outbox orders does not answer: connect ECONNREFUSED 127.0.0.1:5432",
  );
});

test("what a wrapper repeats of its cause is said once, and an error without a cause keeps its end", () => {
  expect(said(new Error("Lost.", { cause: new Error("Lost.") }))).toBe("Lost.");
  expect(said(new Error("Lost."))).toBe("Lost.");
  const circular = new Error("a.");
  circular.cause = new Error("b.", { cause: circular });
  expect(said(circular)).toBe("a: b.");
});

test("its type, code and stack stay", () => {
  const error = new StoreError("locked", "locked", "Another session holds a lock.", {});
  const written = JSON.parse(JSON.stringify(serializeError(error)));
  expect(written).toMatchObject({ type: "StoreError", code: "locked", message: "Another session holds a lock." });
  expect(written.stack).toContain("open-log.test.ts");
});

test("the row that a constraint refused stays out of the log, because it has the payload", () => {
  const error = (code: string) =>
    Object.assign(new Error("refused"), {
      code,
      detail: 'Failing row contains (1, {"name": "Ada"}).',
      where: "line 1",
    });
  const written = (code: string) => JSON.stringify(serializeError(error(code)));
  for (const code of ["23514", "23502", "22P02"]) expect(written(code)).not.toMatch(/Ada|line 1/);
  expect(written("23514")).toContain('"code":"23514"');
  expect(written("40P01")).toMatch(/Ada.*line 1/);
});
