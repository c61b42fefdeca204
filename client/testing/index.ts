export { contractEvents } from "./contract-events.ts";
export type { DeliveryFaults } from "./deliveries.ts";
export { type InboxHarness, inboxContract } from "./inbox-contract.ts";
export { type ContractCase, type OutboxHarness, outboxContract } from "./outbox-contract.ts";
export { type OutboxUnderTest, testOutbox } from "./test-outbox.ts";
