import { demoRequestSchema } from "#contracts/demo.ts";
import { readDemo, switchFault } from "#services/demo/demo-control.ts";
import { handle } from "../../../_server/handle.ts";

export const GET = handle({ role: "viewer" }, () => readDemo());

export const POST = handle({ role: "operator", body: demoRequestSchema }, ({ body }) => switchFault(body));
