import { ourCommand } from "#domain/text/our-command.ts";
import { openConnect } from "../connect/connect-client.ts";
import { ConnectError } from "../connect/connect-error.ts";
import type { OutboxHandle } from "../runtime.ts";
import type { DoctorReport } from "./report.ts";

/** Says who publishes the outbox, and whether Kafka Connect has that connector and runs it. */
export async function checkConnector({ name, config }: OutboxHandle, report: DoctorReport): Promise<void> {
  const { debezium } = config;
  if (!debezium) return;
  const { connector, connect } = debezium;
  report.ok(`outbox ${name}: the connector ${connector} of Debezium publishes it; no relay here does`);
  try {
    const { connector: found, tasks } = await openConnect(debezium).status();
    const words = `${found.state}, tasks: ${tasks.map(({ state }) => state).join(", ") || "none"}`;
    const runs = found.state === "RUNNING" && tasks.some(({ state }) => state === "RUNNING");
    if (runs) report.ok(`connector ${connector} at ${connect.address}: ${words}`);
    else report.bad(`connector ${connector} at ${connect.address}: ${words}`, "Relays has the trace.");
  } catch (error) {
    if (!(error instanceof ConnectError)) throw error;
    report.bad(
      error.message,
      error.kind === "absent" ? `\`${ourCommand("debezium", name)}\` prints its configuration.` : undefined,
    );
  }
}
