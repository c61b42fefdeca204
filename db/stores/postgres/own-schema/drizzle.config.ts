import { defineConfig } from "drizzle-kit";

export default defineConfig({
  dialect: "postgresql",
  schema: "./db/stores/postgres/own-schema/schema.ts",
  out: "./drizzle/store",
  schemaFilter: ["outbox_console"],
});
