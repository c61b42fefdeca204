import { defineConfig } from "drizzle-kit";

export default defineConfig({
  dialect: "postgresql",
  schema: "./db/records/schema.ts",
  out: "./drizzle/console",
  schemaFilter: ["outbox_console_app"],
});
