import { defineConfig } from "drizzle-kit";

export default defineConfig({
  dialect: "postgresql",
  schema: "./db/store-side/schema.ts",
  out: "./drizzle/store",
  schemaFilter: ["outbox_console"],
});
