import { createServer, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import type { TestProject } from "vitest/node";
import { messageOf } from "#domain/errors.ts";
import { type Broker, BrokerUnavailable, type OwnBroker } from "./broker.ts";
import { BROKER_KINDS, type BrokerKind } from "./broker-kinds.ts";
import { findBroker } from "./find-broker.ts";

declare module "vitest" {
  interface ProvidedContext {
    /** Address where tests request the shared brokers: `GET /<kind>` returns a `BrokerAnswer`. */
    brokerDeskUrl: string;
  }
}

export type BrokerAnswer = { broker: Broker } | { unavailable: string } | { failure: string };

/**
 * Vitest's global setup of the broker tests. A broker is searched for when the first test requests it. One that had to
 * be started is shared by the whole run, because Kafka and RabbitMQ take seconds to start.
 */
export async function setup(project: TestProject): Promise<() => Promise<void>> {
  const answers = new Map<BrokerKind, Promise<BrokerAnswer>>();
  const started: OwnBroker[] = [];
  const server = createServer(async (request, response) => {
    const kind = BROKER_KINDS.find((known) => request.url === `/${known}`);
    if (kind === undefined) return send(response, { failure: `There is no broker ${request.url}.` });
    const answer = answers.get(kind) ?? answerFor(kind, started);
    answers.set(kind, answer);
    send(response, await answer);
  });
  await new Promise<void>((resolve, reject) => {
    server.once("error", reject);
    server.listen(0, "127.0.0.1", resolve);
  });
  project.provide("brokerDeskUrl", `http://127.0.0.1:${(server.address() as AddressInfo).port}`);
  return async () => {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
    await Promise.allSettled(answers.values());
    await Promise.all(started.map((broker) => broker.remove()));
  };
}

async function answerFor(kind: BrokerKind, started: OwnBroker[]): Promise<BrokerAnswer> {
  try {
    const { broker, own } = await findBroker(kind, { onProgress: (sentence) => console.log(sentence) });
    if (own !== null) started.push(own);
    return { broker };
  } catch (error) {
    if (error instanceof BrokerUnavailable) return { unavailable: `no ${kind}: ${error.message}` };
    return { failure: messageOf(error) };
  }
}

function send(response: ServerResponse, answer: BrokerAnswer): void {
  response.setHeader("content-type", "application/json").end(JSON.stringify(answer));
}
