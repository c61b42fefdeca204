import { waitFor } from "../wait-for.ts";
import type { ConnectProcess } from "./connect-process.ts";

/** Creates or changes a connector, with the database's password. */
export async function putConnector(
  connect: ConnectProcess,
  name: string,
  config: Record<string, string>,
): Promise<void> {
  const body = JSON.stringify({ ...config, "database.password": connect.password });
  const put = { method: "PUT", headers: { "content-type": "application/json" }, body };
  const answer = await fetch(`${connect.url}/connectors/${name}/config`, put);
  if (!answer.ok) throw new Error(`Kafka Connect refuses the connector: ${await answer.text()}`);
}

/** Removes a connector and its offsets, which would be those of the next connector of this name. */
export async function deleteConnector(connect: ConnectProcess, name: string): Promise<void> {
  const at = `${connect.url}/connectors/${name}`;
  await fetch(`${at}/stop`, { method: "PUT" });
  const forget = async () => (await fetch(`${at}/offsets`, { method: "DELETE" })).ok;
  await waitFor(forget, { message: "the offsets are forgotten" });
  await fetch(at, { method: "DELETE" });
}
