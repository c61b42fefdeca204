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

/** Removes a connector and its offsets, which the next connector of this name would otherwise use. */
export async function deleteConnector(connect: ConnectProcess, name: string): Promise<void> {
  const at = `${connect.url}/connectors/${name}`;
  await fetch(`${at}/stop`, { method: "PUT" });
  const forget = async () => (await fetch(`${at}/offsets`, { method: "DELETE" })).ok;
  await waitFor(forget, { message: "the offsets are forgotten" });
  await fetch(at, { method: "DELETE" });
}

/** Creates a connector that does not run yet, with the database's password. */
export async function createStopped(
  connect: ConnectProcess,
  name: string,
  config: Record<string, string>,
): Promise<void> {
  const body = { name, initial_state: "STOPPED", config: { ...config, "database.password": connect.password } };
  await send(connect, "POST", "", JSON.stringify(body));
}

/** For a connector that is stopped. */
export async function giveOffsets(connect: ConnectProcess, name: string, offsets: string): Promise<void> {
  await send(connect, "PATCH", `/${name}/offsets`, offsets);
}

export async function resumeConnector(connect: ConnectProcess, name: string): Promise<void> {
  await send(connect, "PUT", `/${name}/resume`);
}

async function send(connect: ConnectProcess, method: string, path: string, body?: string): Promise<void> {
  const headers = { "content-type": "application/json" };
  const answer = await fetch(`${connect.url}/connectors${path}`, { method, headers, body: body ?? null });
  if (!answer.ok) throw new Error(`Kafka Connect refuses ${method} ${path}: ${await answer.text()}`);
}
