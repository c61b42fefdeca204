import { AppError } from "#domain/errors.ts";
import { handle } from "../../_server/handle.ts";

const answer = handle({ role: "public", changes: false }, async () => {
  throw new AppError("not_found", "There is no such endpoint; /api/openapi.json lists them.");
});

export const GET = answer;
export const POST = answer;
export const PUT = answer;
export const PATCH = answer;
export const DELETE = answer;
