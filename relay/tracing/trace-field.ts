/** Where a message's trace context is, besides its headers: in `OutgoingMessage.fields`. */
export const TRACE_FIELD = "outbox-console:trace";
