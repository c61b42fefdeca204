import type { ItemFamily } from "../port/item-family.ts";
import type { OutboxRef } from "../port/outbox-ref.ts";
import type { Link } from "./connection/link.ts";
import type { ItemSource } from "./items/item-source.ts";
import type { OwnTable } from "./own-table/own-table.ts";

/** Where one outbox is read and changed. */
export interface Room {
  link: Link;
  own: OwnTable;
  ref: OutboxRef;
  family: ItemFamily;
  source: ItemSource;
}
