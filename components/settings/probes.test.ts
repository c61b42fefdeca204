import { expect, test } from "vitest";
import { probeText } from "./probes.ts";

test("a probe names the address of this console and the outbox", () => {
  const text = probeText({ probe: "curl", origin: "https://outbox.example.com", outbox: "my orders" });
  expect(text).toContain("'https://outbox.example.com/api/health?outbox=my%20orders'");
  expect(text).toContain("?outbox=my%20orders&strict=1");
});

test("without an outbox all of them are judged", () => {
  const text = probeText({ probe: "curl", origin: "http://127.0.0.1:3000", outbox: undefined });
  expect(text).toContain("/api/health?strict=1");
});

test("liveness never asks the database", () => {
  const text = probeText({ probe: "kubernetes", origin: "http://127.0.0.1:3000", outbox: undefined });
  expect(text).toMatch(/livenessProbe[\s\S]*\/api\/health\/live[\s\S]*readinessProbe/);
  expect(text).toContain("port: 3000");
});
