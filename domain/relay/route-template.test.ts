import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { compileRouteTemplate, parseRouteTemplate, RouteTemplateError, whyNoRouteTemplate } from "./route-template.ts";

const render = (source: string, values: Record<string, string>) =>
  compileRouteTemplate<Record<string, string>>(
    parseRouteTemplate(source),
    (name) => (row) => row[name] ?? null,
  )(values);

describe("a route template", () => {
  test.each([
    ["orders", "orders"],
    ["{type}", "Order.Created"],
    ["{type:lower}.{op:upper}", "order.created.INSERT"],
    ["{type:prefix}", "Order"],
    ["{type:suffix:lower}", "created"],
    ["{op:prefix}/{op:suffix}", "insert/insert"],
    ["{line:kebab}", "order-line.http-request-2-sent"],
    ["{line:snake}", "order_line.http_request_2_sent"],
    ["{{{op}}}", "{insert}"],
    ["{x-tenant.id}", "t1"],
    ["Zoë {op}", "Zoë insert"],
  ])("%s", (source, expected) => {
    const values = { type: "Order.Created", op: "insert", line: "OrderLine.HTTPRequest 2_sent", "x-tenant.id": "t1" };
    expect(render(source, values)).toBe(expected);
  });

  test("a name without a value, or without anything left of it, is told", () => {
    expect(render("a.{type}.{op}", { op: "x" })).toEqual({ missing: "type" });
    expect(render("a.{type:suffix}", { type: "order." })).toEqual({ missing: "type" });
  });

  test.each([
    ["", "is empty"],
    ["a.{type", 'has a "{" without a "}"'],
    ["a}", 'has a "}" without a "{"'],
    ["{}", '"{}" is not {name}'],
    ["{a b}", '"{a b}" is not {name}'],
    ["{type:loud}", 'has an unknown filter "loud"; available: lower, upper'],
    ["{type:}", 'has an unknown filter ""'],
    ["{type:constructor}", 'has an unknown filter "constructor"'],
  ])("%j is refused", (source, problem) => {
    expect(whyNoRouteTemplate(source)).toContain(problem);
  });

  test("any text is a template or says why not, and a template never throws", () => {
    const piece = fc.oneof(fc.string(), fc.constantFrom("{", "}", "{a}", "{b:lower}", "{a:kebab:suffix}", ":", "{{"));
    fc.assert(
      fc.property(fc.array(piece), fc.string({ unit: "binary" }), fc.string(), (pieces, a, b) => {
        try {
          const rendered = render(pieces.join(""), { a, b });
          if (typeof rendered === "string") expect(rendered).not.toBe("");
          else expect(["a", "b"].includes(rendered.missing) || rendered.missing !== "").toBe(true);
        } catch (error) {
          expect(error).toBeInstanceOf(RouteTemplateError);
        }
      }),
    );
  });
});
