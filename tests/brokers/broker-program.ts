import type { Command } from "./watched-process.ts";

/** One place to run a broker in: a folder of its own and the ports that it needs, the first being the clients'. */
export type ProgramPlace = { folder: string; ports: number[]; settings: Record<string, string> };

/** How a broker is run from a program on this machine. */
export type BrokerProgram = {
  foundBy: string;
  /** Null when only the running broker can tell. */
  version: string | null;
  portCount: number;
  readyWithinMs: number;
  /** Writes what the program reads; called once, before the first start. */
  prepare(place: ProgramPlace): Promise<void>;
  command(place: ProgramPlace): Command;
};
