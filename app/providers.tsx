"use client";

import { MantineProvider } from "@mantine/core";
import { Notifications } from "@mantine/notifications";
import { QueryClientProvider } from "@tanstack/react-query";
import { type ReactNode, useState } from "react";
import { createQueryClient } from "#components/api/query-client.ts";
import { LiveProvider } from "#components/live/live-provider.tsx";
import { cssVariablesResolver, theme } from "#components/ui/theme.ts";

export function Providers({ children }: { children: ReactNode }) {
  const [queryClient] = useState(createQueryClient);
  return (
    <MantineProvider theme={theme} cssVariablesResolver={cssVariablesResolver} defaultColorScheme="auto">
      <QueryClientProvider client={queryClient}>
        <LiveProvider>
          <Notifications position="bottom-right" limit={3} autoClose={6000} />
          {children}
        </LiveProvider>
      </QueryClientProvider>
    </MantineProvider>
  );
}
