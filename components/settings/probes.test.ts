import { expect, test } from "vitest";
import { probeText } from "./probes.ts";

const textOf = (probe: string, changes: Partial<Parameters<typeof probeText>[0]> = {}) =>
  probeText({ probe, url: "https://outbox.example.com", outbox: undefined, signsIn: true, ...changes });

test("a probe names the address of this console and the outbox", () => {
  const text = textOf("curl", { outbox: "my orders" });
  expect(text).toContain("'https://outbox.example.com/api/health?outbox=my%20orders'");
  expect(text).toContain("?outbox=my%20orders&strict=1");
  expect(textOf("curl", { outbox: "it's" })).toContain(String.raw`?outbox=it'\''s'`);
});

test("without an outbox all of them are judged", () => {
  expect(textOf("curl", { url: "http://127.0.0.1:3000" })).toContain("/api/health?strict=1");
});

test("under a base path every probe through the proxy has it", () => {
  const url = "https://tools.example.com/outbox";
  expect(textOf("curl", { url })).toContain("'https://tools.example.com/outbox/api/health'");
  expect(textOf("blackbox", { url })).toContain('["https://tools.example.com/outbox/api/health"]');
  expect(textOf("prometheus", { url })).toContain("metrics_path: /outbox/metrics");
  expect(textOf("prometheus", { url })).toContain('targets: ["tools.example.com"]');
});

test("Prometheus sends a token, unless the console needs no sign-in", () => {
  expect(textOf("prometheus")).toMatch(/metrics_path: \/metrics\n {4}authorization: \{ credentials: /);
  expect(textOf("prometheus", { signsIn: false })).toMatch(/metrics_path: \/metrics\n {4}static_configs/);
});

test("Kubernetes asks the pod, whose port the browser does not know, and liveness never the database", () => {
  const text = textOf("kubernetes");
  expect(text).toMatch(/livenessProbe[\s\S]*\/api\/health\/live[\s\S]*readinessProbe/);
  expect(text).toContain("value: localhost");
  expect(text).not.toMatch(/443|example/);
});
