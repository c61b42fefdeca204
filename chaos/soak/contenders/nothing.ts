import { PUBLISHED } from "#relay/sinks/sink.ts";
import { type Contender, type ContenderInput, routerOf } from "./contender.ts";

/** Addresses messages and sends nothing: measures the cost of the lanes and of addressing alone. */
export function openNothing(input: ContenderInput): Contender {
  const route = routerOf(input);
  return {
    maxBatch: 1000,
    keepsOrderInBatch: true,
    connect: async () => undefined,
    publish: async (messages) => {
      for (const message of messages) route(message);
      return messages.map(() => PUBLISHED);
    },
    close: async () => undefined,
  };
}
