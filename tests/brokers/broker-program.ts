import type { Command } from "./watched-process.ts";

/** Where one broker runs: its folder and its ports, the clients' port first. */
export type ProgramPlace = { folder: string; ports: number[]; settings: Record<string, string> };

/** Runs a broker from a program on this machine. */
export type BrokerProgram = {
  foundBy: string;
  /** Null when only the running broker knows it. */
  version: string | null;
  portCount: number;
  readyWithinMs: number;
  /** Writes the configuration files; called once, before the first start. */
  prepare(place: ProgramPlace): Promise<void>;
  command(place: ProgramPlace): Command;
};
