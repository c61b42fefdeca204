const ENCODE =
  "the user name and the password must be percent-encoded: @ is %40, : is %3A, / is %2F, ? is %3F, # is %23, % is %25";
const SEVERAL_HOSTS =
  "it names several hosts, and this program connects to one: give the address that follows the primary, such as a DNS name, a virtual IP or a proxy";

/**
 * Clause: why user, password and host of a database's URL would be misread; null if they would not. Never repeats a
 * part of it.
 */
export function problemOfAddress(url: string): string | null {
  const authority = /^[a-z]+:\/\/([^/?#]*)/.exec(url)?.[1] ?? "";
  const afterHost = url.slice(url.indexOf("//") + 2 + authority.length);
  const path = /^[^?]*/.exec(afterHost)?.[0] ?? "";
  const cutByReserved = !authority.includes("@") && authority !== "" && /@/.test(path || afterHost.split("=")[0] || "");
  if (cutByReserved || !canDecode(authority)) return ENCODE;
  const hosts = authority.slice(authority.lastIndexOf("@") + 1);
  if (hosts.includes(",") || /[?&]host=[^&]*(?:,|%2C)/i.test(afterHost)) return SEVERAL_HOSTS;
  if (URL.canParse(url) || URL.canParse(url.replace("@/", "@host/"))) return null;
  return url.includes("@") ? ENCODE : "it is not a valid URL";
}

export function canDecode(text: string): boolean {
  try {
    decodeURIComponent(text);
    return true;
  } catch (error) {
    if (error instanceof URIError) return false;
    throw error;
  }
}
