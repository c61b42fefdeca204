/** Host, port and database of a URL, without the user and the password. */
export function addressOfUrl(url: string, defaultPort: string): string {
  try {
    const { hostname, port, pathname } = new URL(url);
    return `${hostname}:${port || defaultPort}${pathname}`;
  } catch (error) {
    if (error instanceof TypeError) return "an address that is not a URL";
    throw error;
  }
}
