/**
 * cut: all connections are reset. pause: nothing passes. swallow: messages pass and answers do not. The same ending in
 * -cut: data held back is then lost with its connections. refuse: connections are refused. stop and kill: the broker is
 * down and comes back. half: the broker answers, and refuses the messages of half of the lanes; Kafka only, where one
 * request carries the messages of many partitions.
 */
const EVERYWHERE = ["cut", "pause", "pause-cut", "swallow", "swallow-cut", "refuse", "stop", "kill"] as const;

export type FaultKind = (typeof EVERYWHERE)[number] | "half";

export const FAULT_KINDS: Record<"kafka" | "redis", readonly FaultKind[]> = {
  kafka: [...EVERYWHERE, "half"],
  redis: EVERYWHERE,
};

/** The broker is down during these. */
export const RESTARTS: ReadonlySet<FaultKind> = new Set(["stop", "kill"]);
