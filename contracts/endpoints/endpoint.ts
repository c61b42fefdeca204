import type { z } from "zod";

export interface Endpoint {
  method: "get" | "post";
  path: string;
  summary: string;
  query?: z.ZodObject;
  body?: z.ZodType;
  answer: z.ZodType;
  /** Default: application/json. */
  type?: string;
  /** Statuses other than 200 with which `answer` is sent. */
  alsoAnswers?: { status: number; description: string }[];
  /** Answers with a 302 to an address of this kind, and never with 200. */
  redirects?: string;
  /** Needs no sign-in. */
  public?: true;
  headers?: { name: string; description: string }[];
}

export const OUTBOX = "/api/v1/outboxes/{outbox}";
