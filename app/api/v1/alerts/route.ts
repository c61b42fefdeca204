import { listAlerts } from "#services/alerts/list-alerts.ts";
import { handle } from "../../../_server/handle.ts";

export const GET = handle({ role: "viewer" }, ({ ctx }) => listAlerts({ runtime: ctx.runtime }));
