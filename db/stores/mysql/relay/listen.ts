/** `RelayTable.listen`: no session of this store can wake another, so a relay polls. */
export function listen(): { stop(): Promise<void> } {
  return { stop: () => Promise.resolve() };
}
