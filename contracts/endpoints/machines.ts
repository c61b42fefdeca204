import { z } from "zod";
import { demoRequestSchema, demoSchema } from "../demo.ts";
import { healthQuerySchema, healthSchema } from "../watch/health.ts";
import type { Endpoint } from "./endpoint.ts";

const HEALTH = "application/health+json";

/** What machines read, and the demo shop. */
export const MACHINES: readonly Endpoint[] = [
  {
    method: "get",
    path: "/api/v1/demo",
    summary: "The demo's faults; none if no demo runs",
    answer: demoSchema,
  },
  {
    method: "post",
    path: "/api/v1/demo",
    summary: "Switch a fault of the demo",
    body: demoRequestSchema,
    answer: demoSchema,
  },
  {
    method: "get",
    path: "/api/health",
    summary: "Health for alerting; 503 when it fails. Anyone sees the status; details need credentials",
    query: healthQuerySchema,
    answer: healthSchema,
    alsoAnswers: [{ status: 503, description: "fail" }],
    type: HEALTH,
    public: true,
  },
  {
    method: "get",
    path: "/api/health/live",
    summary: "The process is alive; queries no database",
    answer: healthSchema.pick({ status: true }),
    type: HEALTH,
    public: true,
  },
  {
    method: "get",
    path: "/api/health/ready",
    summary: "A database answers; 503 when none does",
    answer: healthSchema.pick({ status: true, output: true }),
    alsoAnswers: [{ status: 503, description: "fail" }],
    type: HEALTH,
    public: true,
  },
  { method: "get", path: "/metrics", summary: "Figures for Prometheus", answer: z.string(), type: "text/plain" },
  {
    method: "get",
    path: "/api/openapi.json",
    summary: "This document",
    answer: z.record(z.string(), z.unknown()),
    public: true,
  },
];
