import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { z } from "zod";
import { apiGet } from "./api-client.ts";
import { endedSession, holdPage } from "./unsaved.ts";

const assign = vi.fn();
let status = 200;

beforeEach(() => {
  assign.mockClear();
  vi.stubGlobal("window", { location: { pathname: "/failures/fx", search: "?outbox=orders", assign } });
  vi.stubGlobal("fetch", async () => Response.json({}, { status }));
});
afterEach(() => void vi.unstubAllGlobals());

async function read(answered: number): Promise<void> {
  status = answered;
  await apiGet(z.unknown(), "/api/v1/outboxes").catch(() => undefined);
}

test("a page with text that would be lost is not left when the session ends, and says so until somebody signs in", async () => {
  const end = holdPage();
  await read(401);
  expect(assign).not.toHaveBeenCalled();
  expect(endedSession.read()).toBe(true);
  await read(503);
  expect(endedSession.read()).toBe(true);
  await read(200);
  expect(endedSession.read()).toBe(false);

  end();
  await read(401);
  expect(assign).toHaveBeenCalledWith("/sign-in?ended=reading&next=%2Ffailures%2Ffx%3Foutbox%3Dorders");
});
