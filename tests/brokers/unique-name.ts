import { randomBytes } from "node:crypto";

/** A unique name for a topic, stream, queue or key: letters, digits and underscores, begins with `prefix`. */
export function uniqueName(prefix = "t"): string {
  return `${prefix}_${randomBytes(6).toString("hex")}`;
}
