import { type BrokerOptions, BrokerUnavailable, type OwnBroker } from "./broker.ts";
import { type BrokerKind, URL_VARIABLES } from "./broker-kinds.ts";
import type { BrokerProgram } from "./broker-program.ts";
import { findKafkaProgram } from "./kafka-program.ts";
import { findNatsProgram } from "./nats-program.ts";
import { findRabbitmqProgram } from "./rabbitmq-program.ts";
import { findRedisProgram } from "./redis-program.ts";
import { runProgram } from "./run-program.ts";

type FindProgram = (options: BrokerOptions) => BrokerProgram | Promise<BrokerProgram>;

const FIND_PROGRAM: Record<BrokerKind, FindProgram> = {
  kafka: findKafkaProgram,
  rabbitmq: findRabbitmqProgram,
  nats: findNatsProgram,
  redis: findRedisProgram,
};

/**
 * A new broker that belongs to this process, on a free loopback port and in a folder that is thrown away.
 * @throws BrokerUnavailable when there is nothing on this machine to run it from
 */
export async function startBroker(kind: BrokerKind, options: BrokerOptions = {}): Promise<OwnBroker> {
  if (process.env[URL_VARIABLES[kind]] === "none") throw new BrokerUnavailable(`${URL_VARIABLES[kind]} is "none"`);
  return runProgram(kind, await FIND_PROGRAM[kind](options), options);
}
