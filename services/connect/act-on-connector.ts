import type { Connector, ConnectorAct } from "#contracts/outbox/connectors.ts";
import { AppError, type ErrorCode } from "#domain/errors.ts";
import { consoleEntry } from "../audit/console-entry.ts";
import { requireRole, type ServiceContext } from "../context.ts";
import { requireOperable } from "../operations/require-operable.ts";
import { requireSwitchedOn } from "../operations/require-switched-on.ts";
import { openConnect } from "./connect-client.ts";
import { ConnectError } from "./connect-error.ts";
import { connectorOf, getConnector, refusalOf } from "./get-connector.ts";
import { forgetConnector } from "./read-connector.ts";

interface Input {
  ctx: ServiceContext;
  outbox: string;
  request: ConnectorAct;
}

/**
 * Pauses, resumes or restarts the connector, or restarts one of its tasks. Connect acts after it has answered. Two
 * audit rows: `begun` before the request to Connect, then `done` or `refused`. After a crash in between, a single
 * `begun` shows that it may have happened. Throws: forbidden, not_found, wrong_state, unavailable.
 */
export async function actOnConnector({ ctx, outbox, request }: Input): Promise<Connector> {
  requireRole(ctx, "operator");
  const { runtime, actor } = ctx;
  const handle = await runtime.outbox(outbox);
  requireSwitchedOn(runtime, handle, "connector");
  const debezium = connectorOf(handle);
  requireOperable(handle);
  const { records, consoleGuard } = runtime;
  const refusal = refusalOf(runtime, handle);
  if (refusal !== null || !records || !consoleGuard) throw new AppError("wrong_state", refusal ?? "There is no audit.");
  const record = async (outcome: "begun" | "done" | "refused", detail: string) => {
    const about = { outbox: handle.name, outcome, reason: request.reason, detail };
    const entry = consoleEntry(actor, `connector.${request.act}`, about);
    await consoleGuard.ask(() => records.recordAct(entry, async () => undefined));
  };
  const what = `${debezium.connector}${request.task === undefined ? "" : `, task ${request.task}`}`;
  await record("begun", what);
  const client = openConnect(debezium);
  try {
    if (request.act === "restart_task") await client.restartTask(request.task ?? 0);
    else await client.act(request.act);
  } catch (error) {
    if (!(error instanceof ConnectError)) throw error;
    await record("refused", `${what}: ${error.message}`);
    throw new AppError(CODES[error.kind], error.message, { cause: error });
  } finally {
    forgetConnector(runtime, handle);
  }
  await record("done", what);
  return getConnector({ runtime, outbox });
}

const CODES: Record<ConnectError["kind"], ErrorCode> = {
  unreachable: "unavailable",
  busy: "unavailable",
  refused: "wrong_state",
  absent: "wrong_state",
  strange: "wrong_state",
};
