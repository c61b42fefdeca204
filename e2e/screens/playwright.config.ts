import { defineConfig } from "@playwright/test";
import base from "../../playwright.config.ts";

export default defineConfig({
  ...base,
  testDir: ".",
  testMatch: "**/*.screens.ts",
  timeout: 30 * 60_000,
  projects: [{ name: "screens", use: { viewport: { width: 1440, height: 900 } } }],
});
