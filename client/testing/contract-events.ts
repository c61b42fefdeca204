import { defineEvents } from "../events/define-events.ts";
import type { StandardSchema } from "../events/standard-schema.ts";

export interface ContractPayload {
  key: string;
  note: string;
  amount: number;
}

/** Written by hand, so that the suite brings no schema library along. */
const schema: StandardSchema<ContractPayload> = {
  "~standard": {
    version: 1,
    vendor: "outbox-console",
    validate: (value) => {
      const { key, note, amount } = (value ?? {}) as Partial<ContractPayload>;
      if (typeof key !== "string" || typeof note !== "string" || typeof amount !== "number")
        return { issues: [{ message: "expected key, note and amount" }] };
      return { value: { key, note, amount } };
    },
  },
};

/** The events that `outboxContract` and `inboxContract` write and read. */
export const contractEvents = defineEvents({
  "contract.checked": { version: 3, aggregate: "contract", schema, key: ({ key }) => key },
});

export const contractPayload = (key: string, note = "one"): ContractPayload => ({ key, note, amount: 12.5 });
