import type { Contender, ContenderInput } from "./contender.ts";

export const CANDIDATES = ["ours", "library"] as const;
export type Candidate = (typeof CANDIDATES)[number];

/** `nothing`: no client, to measure what the rest costs. */
export type Runnable = Candidate | "nothing";

export async function openContender(candidate: Runnable, input: ContenderInput): Promise<Contender> {
  if (candidate === "nothing") return (await import("./nothing.ts")).openNothing(input);
  if (candidate === "ours") return (await import("./ours.ts")).openOurs(input);
  return input.sink === "kafka"
    ? (await import("./platformatic-kafka.ts")).openPlatformaticKafka(input)
    : (await import("./ioredis.ts")).openIoredis(input);
}
