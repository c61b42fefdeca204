import { openApiDocument } from "#contracts/openapi.ts";
import { type Ask, ask } from "./api.fixture.ts";

export interface Endpoint {
  method: "GET" | "POST";
  /** As in the OpenAPI document, with `{names}`. */
  path: string;
  /** Asks it with the values in place of the names in its path. */
  ask(values: Record<string, string>, more?: Ask): Promise<Response>;
}

/** Every endpoint of the OpenAPI document, with the handler that the app folder has for it. */
export async function everyEndpoint(): Promise<Endpoint[]> {
  const { paths } = openApiDocument("1.0.0") as { paths: Record<string, Record<string, unknown>> };
  const pairs = Object.entries(paths).flatMap(([path, methods]) =>
    Object.keys(methods).map((method) => [path, method]),
  );
  return Promise.all(
    pairs.map(async ([path = "", word = ""]) => {
      const method = word.toUpperCase() as Endpoint["method"];
      const file = `..${path.replace(/\{(\w+)\}/g, "[$1]")}/route.ts`;
      const handler = ((await import(/* @vite-ignore */ file)) as Record<string, unknown>)[method];
      return { method, path, ask: (values, more = {}) => ask(handler, { method, params: values, ...more }) };
    }),
  );
}
