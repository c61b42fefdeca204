import fc from "fast-check";
import { expect, test } from "vitest";
import { safeNext } from "./safe-next.ts";

test("a page of the console keeps its filters", () => {
  expect(safeNext("/messages?state=dead&outbox=orders")).toBe("/messages?state=dead&outbox=orders");
  expect(safeNext("/messages?next=//evil.example&q=/..//x")).toBe("/messages?next=//evil.example&q=/..//x");
});

test.each([
  undefined,
  "",
  ["/messages", "/audit"],
  "https://example.com",
  "https:/messages",
  "javascript:alert(1)",
  "//example.com",
  "/\\example.com",
  "/\t/example.com",
  "\t//example.com",
  "/..//evil.example/x",
  "/.//x",
  "/a/..//x",
  "/%2e%2e//evil.example/x",
  "/.%2E/%2e//evil.example",
  "/a/b/../..\\/evil.example",
  "/\n..\r//evil.example",
  "/sign-in?next=/",
  "/./sign-in",
])("%j leads to the overview", (next) => {
  expect(safeNext(next)).toBe("/");
});

/** Characters and names with a meaning to a browser's URL parser; combined in every order. */
const pieces = fc.constantFrom(
  ..."/ \\ . .. %2e %2E%2e %2f %5c : @ ? # ; a evil.example https: [::1] \u3002 \uFF0F é 💥".split(" "),
  "\t",
  "\n",
  "\r",
  " ",
  "\0",
);
const addresses = fc.oneof(
  fc.array(pieces, { maxLength: 12 }).map((list) => list.join("")),
  fc.array(pieces, { maxLength: 12 }).map((list) => `/${list.join("")}`),
  fc.string({ unit: "binary" }),
  fc.webUrl({ withFragments: true, withQueryParameters: true }),
);

test("whatever it is given, the way leads to a path of the origin that it is resolved against", () => {
  fc.assert(
    fc.property(
      addresses,
      fc.constantFrom("http://127.0.0.1:3000/sign-in?next=x", "https://console.example/a/b/", "http://[::1]/"),
      (next, page) => {
        const target = safeNext(next);
        const resolved = new URL(target, page);
        expect(resolved.origin).toBe(new URL(page).origin);
        expect(target).toMatch(/^\/(?![/\\])/);
        expect(resolved.pathname.startsWith("//")).toBe(false);
        expect(resolved.pathname + resolved.search).toBe(target);
      },
    ),
    { numRuns: 5_000 },
  );
});
