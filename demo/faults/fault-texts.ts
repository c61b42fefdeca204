import type { Fault } from "#contracts/demo.ts";

type FaultText = Pick<Fault, "title" | "description">;

/** The text next to each switch. */
export const FAULT_TEXTS: Record<Fault["name"], FaultText> = {
  "gateway-down": {
    title: "Gateway down",
    description:
      "The consumers' gateway closes its port, so connections are refused. Watch the banner name the sink and the time, and the backlog grow; no attempts are used up, and all is delivered once it is back.",
  },
  "reject-type": {
    title: "Invoices rejected",
    description:
      "The gateway answers 422 to every invoice.rendered event. Such an event will never be accepted as it is, so it is dead-lettered at once: look at Dead letters. Switch off, then retry them.",
  },
  "poison-aggregate": {
    title: "Poison aggregate",
    description:
      "One busy order fails with 500 (no FX rate for XBT). Only its own events wait behind the failed head while all others flow: look at Blocked.",
  },
  "relay-killed": {
    title: "Relay killed",
    description:
      "The worker process gets SIGKILL in the midst of its work and stays away. Watch “no relay alive”; when it comes back it delivers what it had in flight again, and the inboxes absorb the repeats.",
  },
  "lock-rows": {
    title: "Rows locked by a report",
    description:
      "A session named billing-report locks waiting outbox rows in a transaction that stays open. The relay cannot mark them published: look at Stuck, which names the session.",
  },
  burst: {
    title: "2,000 orders at once",
    description:
      "Writes 2,000 orders as fast as the database takes them, then switches itself off. Watch the backlog drain.",
  },
};

/** For events over RabbitMQ: the exchange replaces the gateway, and one of its consumers the refusals. */
export const RABBITMQ_FAULT_TEXTS: Record<Fault["name"], FaultText> = {
  ...FAULT_TEXTS,
  "gateway-down": {
    title: "Exchange gone",
    description:
      "The fan-out exchange is deleted. Watch the banner name the sink and the time, and the backlog grow; no attempts are used up, and all is delivered once the exchange is back.",
  },
  "reject-type": {
    title: "Invoices fail",
    description:
      "The notification sender fails for every invoice.rendered event. After three attempts its inbox parks the event: look at Inbox, notifications. The other consumers process it.",
  },
  "poison-aggregate": {
    title: "Poison aggregate",
    description:
      "The notification sender fails for one busy order (no FX rate for XBT) and parks its events: look at Inbox, notifications. The relay has published them, so nothing is blocked.",
  },
};
