/** Host, port and database of a URL, without the user and the password. */
export function addressOf(url: string): string {
  try {
    const { hostname, port, pathname } = new URL(url);
    return `${hostname}:${port || "5432"}${pathname}`;
  } catch (error) {
    if (error instanceof TypeError) return "an address that is not a URL";
    throw error;
  }
}
