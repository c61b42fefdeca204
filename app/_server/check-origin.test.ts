import { describe, expect, test, vi } from "vitest";
import type { Config } from "#services/config/config-schema.ts";

vi.mock("server-only", () => ({}));

const { checkOrigin } = await import("./check-origin.ts");
const config = { console: { allowedHosts: [] as string[] } } as Config;

function isAllowed(path: string, headers: Record<string, string>): boolean {
  const url = `http://127.0.0.1:4700${path}`;
  try {
    checkOrigin(config, { method: "GET", url, headers: new Headers({ host: "127.0.0.1:4700", ...headers }) });
    return true;
  } catch {
    return false;
  }
}

const FROM_ELSEWHERE = { "sec-fetch-site": "cross-site", "sec-fetch-mode": "navigate", "sec-fetch-dest": "document" };

describe("another site", () => {
  test.each(["/", "/messages?state=dead", "/sign-in", "/api/v1/session/oidc/callback?code=1", "/api/health"])(
    "leads a person to %s",
    (path) => expect(isAllowed(path, FROM_ELSEWHERE)).toBe(true),
  );

  test.each(["/api/v1/outboxes/orders/messages/export?state=all", "/metrics", "/api/v1/session"])(
    "leads nobody to %s, which a page of the console reads",
    (path) => {
      expect(isAllowed(path, FROM_ELSEWHERE)).toBe(false);
      expect(isAllowed(path, { ...FROM_ELSEWHERE, "sec-fetch-site": "same-origin" })).toBe(true);
      expect(isAllowed(path, { ...FROM_ELSEWHERE, "sec-fetch-site": "none" })).toBe(true);
    },
  );

  test("draws no page in a frame", () => {
    expect(isAllowed("/messages", { ...FROM_ELSEWHERE, "sec-fetch-dest": "iframe" })).toBe(false);
  });
});
