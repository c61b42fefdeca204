import { describe, expect, test } from "vitest";
import { Instants } from "./instants.ts";
import { agreeingReading, CAUSE } from "./reading.fixture.ts";

const other = { ...CAUSE, id: "b2", sentence: "5 messages of invoice.rendered are dead", severity: "warn" as const };

describe("Instants", () => {
  test("finds nothing while all surfaces agree on an instant", () => {
    const instants = new Instants();
    expect(instants.contradictions(agreeingReading())).toEqual([]);
    expect(instants.contradictions(agreeingReading())).toEqual([]);
  });

  test("finds two first causes for one instant, in one reading and in two", () => {
    const instants = new Instants();
    const reading = agreeingReading();
    const findings = agreeingReading([other]).findings;
    expect(instants.contradictions({ ...reading, findings }).join("\n")).toMatch(/snapshot says cause .* and findings/);
    expect(instants.contradictions(agreeingReading([other])).join("\n")).toMatch(/status "fail", and snapshot "warn"/);
  });

  test("finds that health names another cause for the same instant", () => {
    const { health } = agreeingReading([{ ...CAUSE, sentence: "the oldest message waits 31 s" }]);
    const wrong = new Instants().contradictions({ ...agreeingReading(), health });
    expect(wrong.join("\n")).toMatch(/and health "orders: Not delivering: the oldest message waits 31 s"/);
  });

  test("finds a start that moves while its cause lasts, but not after a gap", () => {
    const instants = new Instants();
    const later = { ...CAUSE, since: "2026-11-22T06:03:59.000000Z" };
    const at = (asOf: string, cause = CAUSE) =>
      JSON.parse(JSON.stringify(agreeingReading([cause])).replaceAll("06:04:10.000001", asOf));
    instants.contradictions(at("06:04:10"));
    expect(instants.contradictions(at("06:04:12", later)).join("\n")).toMatch(/and it was since/);
    instants.contradictions(JSON.parse(JSON.stringify(agreeingReading([])).replaceAll("06:04:10.000001", "06:04:13")));
    expect(instants.contradictions(at("06:04:14", later))).toEqual([]);
  });

  test("does not expect a surface that lags to know later causes", () => {
    const instants = new Instants();
    const later = {
      ...CAUSE,
      since: "2026-11-22T06:04:11.000000Z",
      sentence: CAUSE.sentence.replace("06:03:55", "06:04:11"),
    };
    const at = (asOf: string, causes = [CAUSE]) =>
      JSON.parse(JSON.stringify(agreeingReading(causes)).replaceAll("06:04:10.000001", asOf));
    const first = at("06:04:10");
    instants.contradictions(first);
    instants.contradictions({ ...at("06:04:11", []), list: first.list });
    expect(instants.contradictions({ ...at("06:04:12", [later]), list: first.list })).toEqual([]);
    expect(instants.contradictions(at("06:04:13", [CAUSE])).join("\n")).toMatch(/and it was since 2026-11-22T06:04:11/);
  });
});
