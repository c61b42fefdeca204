import { expect, it } from "vitest";
import { quoteForShell } from "./quote-for-shell.ts";

it("quotes anything as one word", () => {
  expect(quoteForShell("http://a/b?c=d&e")).toBe("'http://a/b?c=d&e'");
  expect(quoteForShell("it's $(here)")).toBe(`'it'\\''s $(here)'`);
});
