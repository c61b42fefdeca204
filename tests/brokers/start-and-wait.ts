import type { BrokerKind } from "./broker-kinds.ts";
import { startBroker } from "./start-broker.ts";

/** A program that starts a broker, prints its address and does not stop it, for tests to kill. */
const { port, folder } = await startBroker(process.argv[2] as BrokerKind);
console.log(JSON.stringify({ port, folder }));
