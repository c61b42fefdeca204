import { afterEach, expect, test, vi } from "vitest";
import { stripBase } from "./base-path.ts";

afterEach(() => {
  vi.unstubAllEnvs();
  vi.resetModules();
});

async function under(base: string) {
  vi.stubEnv("OUTBOX_BUILD_BASE_PATH", base);
  return import("./base-path.ts");
}

test("a path outside the prefix is the console's own, because a proxy may have cut the prefix off", () => {
  expect(stripBase("/outbox/messages?state=dead", "/outbox")).toBe("/messages?state=dead");
  expect(stripBase("/messages", "/outbox")).toBe("/messages");
  expect(stripBase("/outboxes", "/outbox")).toBe("/outboxes");
  expect(stripBase("/outbox", "/outbox")).toBe("/");
  expect(stripBase("/outbox?outbox=a", "/outbox")).toBe("/?outbox=a");
  expect(stripBase("/a/b/a/b", "/a/b")).toBe("/a/b");
});

test("what a proxy sends is routed with the prefix once, and without a slash behind it", async () => {
  const { asRouted } = await under("/a/b");
  expect(["/a/b", "/a/b/", "/", "/a/b/?x=1", "/messages?next=/a/b", "/a/b/api/health"].map(asRouted)).toEqual([
    "/a/b",
    "/a/b",
    "/a/b",
    "/a/b?x=1",
    "/a/b/messages?next=/a/b",
    "/a/b/api/health",
  ]);
});

test("at the root nothing changes", async () => {
  const { asRouted, cookiePath, withBasePath } = await under("");
  expect(["/", "/messages/", "/?x=1"].map(asRouted)).toEqual(["/", "/messages/", "/?x=1"]);
  expect([withBasePath("/sign-in"), cookiePath()]).toEqual(["/sign-in", "/"]);
});
