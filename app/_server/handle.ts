import "server-only";
import { randomUUID } from "node:crypto";
import { z } from "zod";
import { AppError } from "#domain/errors.ts";
import { READ_ONLY } from "#domain/message/action-switch.ts";
import type { Actor, Role } from "#domain/operator.ts";
import { recordDenied } from "#services/audit/record-denied.ts";
import type { Config } from "#services/config/config-schema.ts";
import { placeContext, requireRole, type ServiceContext } from "#services/context.ts";
import type { Runtime } from "#services/runtime.ts";
import { actorOf } from "./actor.ts";
import { checkOrigin } from "./check-origin.ts";
import { errorResponse } from "./error-response.ts";
import { readJsonBody } from "./read-body.ts";
import { getRuntime } from "./runtime.ts";

type Params = Record<string, string>;
/** A catch-all segment is a list. */
type RouteParams = Record<string, string | string[] | undefined>;

export interface HandlerInput<Query, Body> {
  ctx: ServiceContext;
  params: Params;
  query: Query;
  body: Body;
  request: Request;
}

interface Options<Query extends z.ZodType, Body extends z.ZodType> {
  /** Minimum role; `public` for endpoints that answer anyone. */
  role: Role | "public";
  query?: Query;
  body?: Body;
  /** False for a POST that a read-only console answers too: it only reads, or ends access. */
  changes?: false;
  /** Open to API tokens that may read metrics only. */
  metrics?: true;
  /** Whether unknown parameters are refused; the default is yes, except for public endpoints and metrics. */
  known?: boolean;
}

/** The actor of public endpoints, which must not show it anything that needs a role. */
const NOBODY: Actor = { name: "nobody", role: "viewer" };

/**
 * Wraps a route handler: checks host and origin, identifies the actor, checks the role, validates query and body, and
 * turns errors into HTTP. The result of `run` becomes JSON; a Response is passed through.
 */
export function handle<Query extends z.ZodType = z.ZodObject, Body extends z.ZodType = z.ZodUndefined>(
  options: Options<Query, Body>,
  run: (input: HandlerInput<z.output<Query>, z.output<Body>>) => Promise<unknown>,
) {
  return async (request: Request, context: { params: Promise<RouteParams> }): Promise<Response> => {
    const requestId =
      request.headers
        .get("x-request-id")
        ?.slice(0, 100)
        .replace(/[^\w-]/g, "") || randomUUID();
    try {
      const runtime = getRuntime();
      checkOrigin(runtime.config, request);
      const params = plainParams(await context.params);
      const ctx = await contextOf({ runtime, request, requestId, options, params });
      const result = await noting({ ctx, request, params, options }, async () => {
        if (options.role !== "public") requireRole(ctx, options.role);
        if (options.changes !== false) requireWritable(runtime.config, request.method);
        const given = readQuery(request);
        if (options.known ?? (options.role !== "public" && !options.metrics)) requireKnown(options.query, given);
        const query = parse(options.query ?? z.object({}), given, "query") as z.output<Query>;
        const body = (
          options.body ? parse(options.body, await readJsonBody(request), "body") : undefined
        ) as z.output<Body>;
        return run({ ctx, params, query, body, request });
      });
      if (result instanceof Response) return result;
      return Response.json(result, { headers: { "cache-control": "no-store", "x-request-id": requestId } });
    } catch (error) {
      return errorResponse(error, { method: request.method, url: request.url, requestId });
    }
  };
}

async function contextOf(input: {
  runtime: Runtime;
  request: Request;
  requestId: string;
  options: Pick<Options<z.ZodType, z.ZodType>, "role" | "metrics">;
  params: Params;
}): Promise<ServiceContext> {
  const { runtime, request, requestId, options, params } = input;
  const { role } = options;
  if (role === "public") return { runtime, actor: NOBODY, requestId };
  const actor = await actorOf(runtime, request);
  if (!actor)
    throw new AppError("unauthenticated", "Sign in first; a program sends an API token, authorization: Bearer oct_…");
  if (actor.metricsOnly && !options.metrics)
    throw new AppError("forbidden", "This API token reads /metrics and nothing else: its scope is metrics.");
  return placeContext({ runtime, actor, requestId }, params);
}

/** Runs the work; a change that is refused to somebody who is signed in is noted in the audit. */
async function noting<Answer>(
  about: { ctx: ServiceContext; request: Request; params: Params; options: { role: Role | "public" } },
  work: () => Promise<Answer>,
): Promise<Answer> {
  const { ctx, request, params, options } = about;
  try {
    return await work();
  } catch (error) {
    const { outbox = null, inbox = null } = params;
    const path = `${request.method} ${new URL(request.url).pathname}`;
    const changes = request.method !== "GET" && request.method !== "HEAD" && options.role !== "public";
    if (changes) await recordDenied(ctx, { error, path, outbox, inbox });
    throw error;
  }
}

/** Throws: forbidden. */
function requireWritable({ console }: Config, method: string): void {
  if (console.readOnly && method !== "GET" && method !== "HEAD") throw new AppError("forbidden", READ_ONLY);
}

/** Drops catch-all segments. A route without segments has no params at all. */
function plainParams(params: RouteParams = {}): Params {
  return Object.fromEntries(
    Object.entries(params).flatMap(([name, value]) => (typeof value === "string" ? [[name, value]] : [])),
  );
}

/** Drops empty values: `?eventType=` does not filter. */
function readQuery(request: Request): Record<string, string> {
  const { searchParams } = new URL(request.url);
  return Object.fromEntries([...searchParams].filter(([, value]) => value !== ""));
}

/** A misspelt filter would be dropped silently, and the answer taken for the filtered one. Throws: invalid_input. */
function requireKnown(schema: z.ZodType | undefined, given: Record<string, string>): void {
  const known = schema instanceof z.ZodObject ? Object.keys(schema.shape) : [];
  const unknown = Object.keys(given).find((name) => !known.includes(name));
  if (unknown === undefined) return;
  const these = known.length === 0 ? "none is taken here" : `these are: ${known.join(", ")}`;
  throw new AppError("invalid_input", `query.${unknown}: there is no such parameter; ${these}.`);
}

function parse<Schema extends z.ZodType>(schema: Schema, value: unknown, where: string): z.output<Schema> {
  const parsed = schema.safeParse(value);
  if (parsed.success) return parsed.data;
  const problems = parsed.error.issues
    .slice(0, 10)
    .map((issue) => ({ path: [where, ...issue.path].join("."), message: issue.message }));
  const first = problems[0];
  throw new AppError("invalid_input", first ? `${first.path}: ${first.message}` : "The request is not valid.", {
    details: { problems },
  });
}
