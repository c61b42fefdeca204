import { afterAll, beforeEach, expect, test, vi } from "vitest";
import { askedAddress } from "./asked-address.ts";

const location = { pathname: "/messages", search: "?message=1" };
const message = () => askedAddress.params().get("message");

// Other files share the worker.
afterAll(() => void vi.unstubAllGlobals());
beforeEach(() => {
  vi.stubGlobal("window", { location });
  Object.assign(location, { pathname: "/messages", search: "?message=1" });
  askedAddress.forget();
  askedAddress.rendered("message=1");
});

test("what was asked for last holds while the router writes an older address back", () => {
  askedAddress.ask("message=2");
  askedAddress.ask("message=3");
  location.search = "?message=2";
  expect(message()).toBe("3");
  askedAddress.rendered("message=2");
  expect(message()).toBe("3");
});

test("once the router has rendered it, the address counts again", () => {
  askedAddress.ask("message=2");
  askedAddress.rendered("message=2");
  location.search = "?message=2";
  expect(message()).toBe("2");
  location.search = "?message=9";
  expect(message()).toBe("9");
});

test("several users of the address report it, and what was asked for since is kept", () => {
  askedAddress.ask("message=2");
  askedAddress.rendered("message=2");
  askedAddress.ask("message=3");
  askedAddress.rendered("message=2");
  expect(message()).toBe("3");
});

test("a link, the back button and another page end it", () => {
  askedAddress.ask("message=2");
  askedAddress.rendered("state=dead");
  location.search = "?state=dead";
  expect(message()).toBeNull();

  askedAddress.ask("message=2");
  askedAddress.forget();
  expect(message()).toBeNull();

  askedAddress.ask("message=2");
  Object.assign(location, { pathname: "/inbox", search: "?message=7" });
  expect(message()).toBe("7");
});
