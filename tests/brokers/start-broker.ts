import { type BrokerOptions, BrokerUnavailable, type OwnBroker } from "./broker.ts";
import { type BrokerKind, URL_VARIABLES } from "./broker-kinds.ts";
import type { BrokerProgram } from "./broker-program.ts";
import { findDocker } from "./docker-engine.ts";
import { findKafkaProgram } from "./kafka-program.ts";
import { findNatsProgram } from "./nats-program.ts";
import { findRabbitmqProgram } from "./rabbitmq-program.ts";
import { findRedisProgram } from "./redis-program.ts";
import { runContainer } from "./run-container.ts";
import { runProgram } from "./run-program.ts";

type FindProgram = (options: BrokerOptions) => BrokerProgram | Promise<BrokerProgram>;

const FIND_PROGRAM: Record<BrokerKind, FindProgram> = {
  kafka: findKafkaProgram,
  rabbitmq: findRabbitmqProgram,
  nats: findNatsProgram,
  redis: findRedisProgram,
};

/**
 * Starts a new broker owned by this process, on a free loopback port with temporary data: in a container where a Docker
 * engine answers, otherwise from a program on this machine.
 * @throws BrokerUnavailable when there is neither
 */
export async function startBroker(kind: BrokerKind, options: BrokerOptions = {}): Promise<OwnBroker> {
  if (process.env[URL_VARIABLES[kind]] === "none") throw new BrokerUnavailable(`${URL_VARIABLES[kind]} is "none"`);
  const docker = await findDocker();
  if (docker === null) return startProgram(kind, options, "no Docker engine answers");
  try {
    return await runContainer(docker, kind, options);
  } catch (error) {
    const reason = `Docker could not run it (${firstLine(error)})`;
    options.onProgress?.(`${kind}: ${reason}; looking for a program ...`);
    return startProgram(kind, options, reason);
  }
}

async function startProgram(kind: BrokerKind, options: BrokerOptions, noDocker: string): Promise<OwnBroker> {
  const program = await findProgramOrSay(kind, options, noDocker);
  return runProgram(kind, program, options);
}

async function findProgramOrSay(kind: BrokerKind, options: BrokerOptions, noDocker: string): Promise<BrokerProgram> {
  try {
    return await FIND_PROGRAM[kind](options);
  } catch (error) {
    if (!(error instanceof BrokerUnavailable)) throw error;
    throw new BrokerUnavailable(`${noDocker}, and ${error.message}`);
  }
}

function firstLine(error: unknown): string {
  const { stderr, message } = error as { stderr?: string; message: string };
  return (stderr?.trim() || message).split("\n").at(-1) as string;
}
