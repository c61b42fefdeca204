import { type LookupAddress, type LookupOptions, lookup } from "node:dns";
import { BlockList, isIP, type LookupFunction } from "node:net";

/** A redirect led to an address that is not allowed. */
export class RefusedAddressError extends Error {
  override readonly name = "RefusedAddressError";
}

/**
 * Addresses outside the public internet, after IANA's special-purpose registries: private, loopback, link-local
 * (includes the clouds' metadata services), shared, reserved, multicast; plus one metadata address that looks public.
 */
const SPECIAL_V4 = [
  "0.0.0.0/8",
  "10.0.0.0/8",
  "100.64.0.0/10",
  "127.0.0.0/8",
  "169.254.0.0/16",
  "172.16.0.0/12",
  "192.0.0.0/24",
  "192.0.2.0/24",
  "192.88.99.0/24",
  "192.168.0.0/16",
  "198.18.0.0/15",
  "198.51.100.0/24",
  "203.0.113.0/24",
  "224.0.0.0/3",
  "168.63.129.16/32",
];
/** Global unicast is 2000::/3; everything outside it is refused, including wrapped IPv4 addresses. */
const SPECIAL_V6 = ["::/3", "4000::/2", "8000::/1", "2001::/23", "2001:db8::/32", "2002::/16", "3fff::/20"];

function listOf(subnets: readonly string[], family: "ipv4" | "ipv6"): BlockList {
  const list = new BlockList();
  for (const subnet of subnets) {
    const [address = "", bits] = subnet.split("/");
    list.addSubnet(address, Number(bits), family);
  }
  return list;
}

/** One list per family: a single list would also match IPv4 addresses against the IPv6 forms. */
const [specialV4, specialV6] = [listOf(SPECIAL_V4, "ipv4"), listOf(SPECIAL_V6, "ipv6")];

export function isPublicAddress(address: string): boolean {
  const family = isIP(address);
  if (family === 4) return !specialV4.check(address, "ipv4");
  return family === 6 && !specialV6.check(address, "ipv6");
}

export type ResolveAll = (
  host: string,
  options: LookupOptions & { all: true },
  done: (error: NodeJS.ErrnoException | null, addresses: LookupAddress[]) => void,
) => void;

/**
 * A DNS lookup for connections that returns public addresses only. Checking at the connection means that a name whose
 * address changes is checked again, and that the checked address is the one connected to.
 */
export function publicLookup(resolve: ResolveAll = lookup): LookupFunction {
  return (host, options, done) => {
    resolve(host, { ...options, all: true }, (error, addresses) => {
      if (error) return done(error, []);
      const refused = addresses.find(({ address }) => !isPublicAddress(address));
      const [first] = addresses;
      if (refused || !first) {
        const why = refused ? `resolves to ${refused.address}, which is not a public address` : "has no address";
        return done(new RefusedAddressError(`The redirect to ${host} is refused: it ${why}.`), []);
      }
      if (options.all) done(null, addresses);
      else done(null, first.address, first.family);
    });
  };
}
