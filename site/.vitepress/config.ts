import { defineConfig } from "vitepress";

const pages = (...entries: [text: string, path: string][]) =>
  entries.map(([text, path]) => ({ text, link: `/${path}` }));

/** A link to a page that is not there fails the build. */
export default defineConfig({
  title: "Outbox Console",
  description: "Operations console, relay and health endpoint for the outbox and inbox tables you already have",
  lang: "en-GB",
  srcDir: "pages",
  outDir: "dist",
  rewrites: { "README.md": "index.md", "docs/:page": ":page", "docs/:folder/:page": ":folder/:page" },
  // Links from the pages into the sources, which the site does not have.
  ignoreDeadLinks: [
    /\/(client|bench|chaos|db|deploy|domain|e2e|incidents|scripts|LICENSE)(\/|$)/,
    /^https?:\/\/(127\.0\.0\.1|localhost)/,
  ],
  // The console's own PostCSS configuration is not for the site.
  vite: { css: { postcss: {} } },
  markdown: {
    config(md) {
      // The pages are plain Markdown: braces are text, not an expression to compute.
      for (const rule of ["text", "code_inline"] as const) {
        const render = md.renderer.rules[rule];
        md.renderer.rules[rule] = (...given) => (render?.(...given) ?? "").replaceAll("{{", "&#123;&#123;");
      }
    },
  },
  themeConfig: {
    search: { provider: "local" },
    outline: [2, 3],
    sidebar: [
      {
        text: "In five minutes",
        items: pages(
          ["Postgres, a table of your own", "start/postgres"],
          ["A library's table", "start/library"],
          ["MySQL and MariaDB", "start/mysql"],
          ["DynamoDB", "start/dynamodb"],
          ["Publish to Kafka", "start/kafka"],
          ["Alerts", "start/alerts"],
        ),
      },
      {
        text: "On call",
        items: pages(
          ["States of a message", "state-machine"],
          ["Messages", "messages"],
          ["Payloads", "payloads"],
          ["Many messages at once", "operations"],
          ["Incidents and groups", "incidents"],
          ["Consumers", "reconciliation"],
          ["Watchdog", "watchdog"],
          ["Storage and retention", "retention"],
        ),
      },
      {
        text: "Run it",
        items: pages(
          ["Operating", "operating"],
          ["Deploying", "deploying"],
          ["Upgrading", "upgrading"],
          ["Configuration", "configuration"],
          ["Security", "security"],
          ["Relay", "relay"],
          ["Routes and sinks", "sinks"],
          ["Reading the log", "cdc"],
          ["Debezium", "debezium"],
          ["Performance", "performance"],
          ["Where the time goes", "performance-bottlenecks"],
          ["Scale", "scale"],
        ),
      },
      {
        text: "Tables and databases",
        items: pages(["Which tables are recognised", "shapes"], ["Libraries", "libraries"], ["Stores", "stores"]),
      },
      {
        text: "Build on it",
        items: pages(["HTTP API", "api"], ["Every endpoint", "api-reference"], ["Client package", "client"]),
      },
      {
        text: "Work on it",
        items: pages(
          ["Architecture", "ARCHITECTURE"],
          ["Development", "development"],
          ["Where the code is", "finding-code"],
          ["Add a shape", "adding-a-shape"],
          ["Add a sink", "adding-a-sink"],
          ["Add a store", "adding-a-store"],
          ["Changes", "CHANGELOG"],
        ),
      },
    ],
  },
});
