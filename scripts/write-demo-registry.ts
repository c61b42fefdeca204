import { writeFileSync } from "node:fs";
import { shopEvents } from "../demo/shop/shop-events.ts";

/** Writes demo/events.json from `toJsonSchema()`, as a build would. */
writeFileSync("demo/events.json", `${JSON.stringify(shopEvents.toJsonSchema(), null, 2)}\n`);
