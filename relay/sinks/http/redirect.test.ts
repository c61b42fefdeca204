import { describe, expect, test } from "vitest";
import { resolveRedirect } from "./redirect.ts";

const HOME = new URL("https://hooks.example.com/in?token=secret");
const resolve = (location: string | undefined, from = HOME, privateAllowed = false) =>
  resolveRedirect({ from, home: HOME, location, privateAllowed });

describe("a redirect", () => {
  test.each([
    ["/other", "https://hooks.example.com/other"],
    ["?a=b", "https://hooks.example.com/in?a=b"],
    ["https://other.example.com/x", "https://other.example.com/x"],
    ["//other.example.com:8443/x", "https://other.example.com:8443/x"],
    ["https://93.184.216.34/x", "https://93.184.216.34/x"],
  ])("to %s leads to %s", (location, url) => {
    expect(resolve(location)).toEqual({ url: new URL(url) });
  });

  test.each([
    [undefined, /not a valid URL/],
    ["https://", /not a valid URL/],
    ["http://other.example.com/", /from https to http/],
    ["ftp://other.example.com/", /neither http nor https/],
    ["https://127.0.0.1/", /127\.0\.0\.1 is not a public address/],
    ["https://2130706433/", /127\.0\.0\.1 is not a public address/],
    ["https://0x7f.1/", /127\.0\.0\.1 is not a public address/],
    ["https://[::1]/", /::1 is not a public address/],
    ["https://[::ffff:169.254.169.254]/", /not a public address/],
    ["https://user:password@10.0.0.1/x?token=secret", /^(?!.*(?:password|secret)).*10\.0\.0\.1\/x is refused/],
  ])("to %s is refused", (location, reason) => {
    expect(resolve(location)).toMatchObject({ refused: expect.stringMatching(reason) });
  });

  test("to a private address is followed if allowed or if it is the configured origin", () => {
    expect(resolve("https://10.0.0.1/x", HOME, true)).toEqual({ url: new URL("https://10.0.0.1/x") });
    const home = new URL("http://127.0.0.1:8080/in");
    expect(resolveRedirect({ from: home, home, location: "/out", privateAllowed: false })).toEqual({
      url: new URL("http://127.0.0.1:8080/out"),
    });
  });

  test("to plain http is refused at any hop", () => {
    const from = new URL("https://other.example.com/x");
    const home = new URL("http://hooks.example.com/");
    expect(resolveRedirect({ from, home, location: home.href, privateAllowed: true })).toMatchObject({
      refused: expect.stringMatching(/from https to http/),
    });
  });
});
