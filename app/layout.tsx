import "./globals.css";
import "#components/ui/page/library.css";
import { ColorSchemeScript, mantineHtmlProps } from "@mantine/core";
import { GeistMono } from "geist/font/mono";
import { GeistSans } from "geist/font/sans";
import type { Metadata, Viewport } from "next";
import { headers } from "next/headers";
import type { ReactNode } from "react";
import { nonceOf } from "./_server/content-policy.ts";
import { Providers } from "./providers.tsx";

export const metadata: Metadata = {
  title: { default: "Outbox Console", template: "%s · Outbox Console" },
  description: "Are events flowing, and if not, which ones, why, and what may I safely do about it?",
  robots: { index: false, follow: false },
};

export const viewport: Viewport = {
  width: "device-width",
  initialScale: 1,
  themeColor: [
    { media: "(prefers-color-scheme: light)", color: "#ffffff" },
    { media: "(prefers-color-scheme: dark)", color: "#1b1a18" },
  ],
};

export default async function RootLayout({ children }: { children: ReactNode }) {
  const nonce = nonceOf((await headers()).get("content-security-policy"));
  return (
    <html lang="en" {...mantineHtmlProps} className={`${GeistSans.variable} ${GeistMono.variable}`}>
      <head>
        <ColorSchemeScript defaultColorScheme="auto" nonce={nonce} />
      </head>
      <body>
        <Providers>{children}</Providers>
      </body>
    </html>
  );
}
