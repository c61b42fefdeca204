import { type Broker, type BrokerOptions, BrokerUnavailable, type OwnBroker } from "./broker.ts";
import { type BrokerKind, brokerUrl, DEFAULT_PORTS, URL_VARIABLES } from "./broker-kinds.ts";
import { probeBroker } from "./probe-broker.ts";
import { startBroker } from "./start-broker.ts";

/** `own` is null when the broker was already running and must not be stopped. */
export type FoundBroker = { broker: Broker; own: OwnBroker | null };

/**
 * Finds the broker to test with: the one named in the environment, otherwise the one on the default port, otherwise a
 * new one.
 * @throws BrokerUnavailable with the reason
 */
export async function findBroker(kind: BrokerKind, options: BrokerOptions = {}): Promise<FoundBroker> {
  const named = process.env[URL_VARIABLES[kind]];
  if (named !== undefined && named !== "" && named !== "none")
    return { broker: await openNamed(kind, named), own: null };
  const listening = named === "none" ? null : await openListening(kind);
  if (listening !== null) return { broker: listening, own: null };
  const own = await startBroker(kind, options);
  return { broker: own, own };
}

async function openNamed(kind: BrokerKind, url: string): Promise<Broker> {
  const variable = URL_VARIABLES[kind];
  const addresses = readAddresses(kind, url);
  for (const address of addresses) {
    const [host, port] = splitAddress(address);
    const probe = await probeBroker(kind, host, port);
    if (probe !== null) return { kind, url, addresses, host, port, version: probe.version, foundBy: variable };
  }
  throw new BrokerUnavailable(`${variable} names ${addresses.join(", ")}, where no such broker responds`);
}

async function openListening(kind: BrokerKind): Promise<Broker | null> {
  const [host, port] = ["127.0.0.1", DEFAULT_PORTS[kind]];
  const probe = await probeBroker(kind, host, port);
  if (probe === null) return null;
  const url = brokerUrl(kind, port);
  return { kind, url, addresses: [`${host}:${port}`], host, port, version: probe.version, foundBy: "its usual port" };
}

/** With or without a scheme; several servers separated by commas. */
function readAddresses(kind: BrokerKind, url: string): string[] {
  const authority = url.replace(/^[a-z+]+:\/\//i, "").replace(/[/?#].*$/, "");
  const hosts = authority.slice(authority.lastIndexOf("@") + 1).split(",");
  return hosts.map((host) => (/:\d+$/.test(host) ? host : `${host}:${DEFAULT_PORTS[kind]}`));
}

function splitAddress(address: string): [host: string, port: number] {
  const colon = address.lastIndexOf(":");
  return [address.slice(0, colon).replace(/^\[|\]$/g, ""), Number(address.slice(colon + 1))];
}
