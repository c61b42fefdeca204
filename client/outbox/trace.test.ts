import { AsyncLocalStorage } from "node:async_hooks";
import * as api from "@opentelemetry/api";
import { afterAll, beforeAll, expect, test } from "vitest";
import { otel } from "./trace.ts";

const TRACEPARENT = "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01";
const KEY = api.createContextKey("trace");
const store = new AsyncLocalStorage<api.Context>();

/** As small as an SDK's context manager and propagator can be. */
beforeAll(() => {
  api.context.setGlobalContextManager({
    active: () => store.getStore() ?? api.ROOT_CONTEXT,
    with: (context, work, self, ...values) => store.run(context, () => work.call(self as never, ...values)),
    bind: (_, target) => target,
    enable() {
      return this;
    },
    disable() {
      return this;
    },
  });
  api.propagation.setGlobalPropagator({
    inject: (context, carrier, setter) => {
      const value = context.getValue(KEY);
      if (typeof value !== "string") return;
      setter.set(carrier, "traceparent", value);
      setter.set(carrier, "baggage", "user=7");
    },
    extract: (context) => context,
    fields: () => ["traceparent", "baggage"],
  });
});
afterAll(() => {
  api.context.disable();
  api.propagation.disable();
});

const inTrace = <T>(work: () => T): T => api.context.with(api.ROOT_CONTEXT.setValue(KEY, TRACEPARENT), work);

test("the trace of the code that calls is captured, without baggage unless asked for", () => {
  expect(inTrace(() => otel(api)())).toEqual({ traceparent: TRACEPARENT });
  expect(inTrace(() => otel(api, { baggage: true })())).toEqual({ traceparent: TRACEPARENT, baggage: "user=7" });
});

test("without a trace there is nothing to send", () => {
  expect(otel(api)()).toEqual({});
});
