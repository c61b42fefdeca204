import { expect, test } from "vitest";
import { parseTypeName } from "./type-name.ts";

test.each([
  ["order.created.v2", "order.created", "2"],
  ["order.v2.created", "order.created", "2"],
  ["OrderCreated_v2", "OrderCreated", "2"],
  ["OrderCreatedV2", "OrderCreated", "2"],
  ["order-created-v1.3", "order-created", "1.3"],
  ["order.created@3", "order.created", "3"],
  ["com.acme.order.placed.v2", "order.placed", "2"],
  ["com.acme.OrderCreatedV2, Acme, Version=1.0.0.0, Culture=neutral, PublicKeyToken=null", "OrderCreated", "2"],
  ["Acme.Orders.OrderPlaced, Acme.Orders, Version=2.1.0.0, Culture=neutral", "OrderPlaced", "2.1.0.0"],
  ["Acme.Orders.OrderPlaced, Acme.Orders", "OrderPlaced", null],
  ["Acme.Orders.Outer+Inner", "Inner", null],
  ["App\\Message\\OrderPlaced", "OrderPlaced", null],
  ["urn:message:Acme.Orders:OrderPlaced", "OrderPlaced", null],
  ["order.placed", "order.placed", null],
  ["order-48213", "order-48213", null],
  ["shop.order_42", "shop.order_42", null],
  ["invoice.rendered.ipv4", "invoice.rendered.ipv4", null],
  ["com.acme.orders", "com.acme.orders", null],
  ["Acme.Envelope`1[[Acme.Order, Acme]]", "Acme.Envelope`1[[Acme.Order, Acme]]", null],
  ["v2", "v2", null],
  ["Order placed, urgent", "Order placed, urgent", null],
  ["", "", null],
])("%s is %s, version %s", (whole, short, version) => {
  expect(parseTypeName(whole)).toEqual({ short, version });
});
