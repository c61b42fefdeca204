import { expect, it } from "vitest";
import { curlCommand } from "./curl-command.ts";
import { quoteForShell } from "./quote-for-shell.ts";

it("quotes anything as one word", () => {
  expect(quoteForShell("http://a/b?c=d&e")).toBe("'http://a/b?c=d&e'");
  expect(quoteForShell("it's $(here)")).toBe(`'it'\\''s $(here)'`);
});

it("a copied command names the token that the console asks for", () => {
  const command = (mode: "none" | "password") =>
    curlCommand({ flags: "-sS", path: "/api/v1/outboxes/it's/messages/1", mode }, "http://127.0.0.1:3000");
  expect(command("none")).toBe(`curl -sS 'http://127.0.0.1:3000/api/v1/outboxes/it'\\''s/messages/1'`);
  expect(command("password")).toMatch(/^curl -sS -H "authorization: Bearer \$OUTBOX_TOKEN" 'http/);
});
