import type { NextConfig } from "next";

/** What is no page loads and runs nothing. Pages get their policy from proxy.ts, with a nonce for each answer. */
const POLICY = "default-src 'none'; frame-ancestors 'none'; base-uri 'none'; form-action 'none'";

const HEADERS = [
  { key: "x-content-type-options", value: "nosniff" },
  { key: "referrer-policy", value: "same-origin" },
  { key: "x-frame-options", value: "DENY" },
];

const config: NextConfig = {
  poweredByHeader: false,
  typescript: { ignoreBuildErrors: true },
  reactStrictMode: true,
  devIndicators: false,
  serverExternalPackages: ["pg", "pino", "prom-client"],
  experimental: { optimizePackageImports: ["@mantine/core", "@mantine/hooks", "@tabler/icons-react"] },
  headers: async () => [
    { source: "/:path*", headers: HEADERS },
    ...["/api/:path*", "/metrics", "/_next/:path*", "/icon.svg"].map((source) => ({
      source,
      headers: [{ key: "content-security-policy", value: POLICY }],
    })),
  ],
};

export default config;
