"use client";

import "#components/api/without-eval.ts";

import { MantineProvider } from "@mantine/core";
import { QueryClientProvider } from "@tanstack/react-query";
import { type ReactNode, useState } from "react";
import { createQueryClient } from "#components/api/query-client.ts";
import { LiveProvider } from "#components/live/live-provider.tsx";
import { Toasts } from "#components/ui/notices/toasts.tsx";
import { cssVariablesResolver, theme } from "#components/ui/page/theme.ts";

export function Providers({ children }: { children: ReactNode }) {
  const [queryClient] = useState(createQueryClient);
  return (
    <MantineProvider theme={theme} cssVariablesResolver={cssVariablesResolver} defaultColorScheme="auto">
      <QueryClientProvider client={queryClient}>
        <LiveProvider>
          <Toasts />
          {children}
        </LiveProvider>
      </QueryClientProvider>
    </MantineProvider>
  );
}
