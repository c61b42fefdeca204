import "server-only";
import { BlockList, isIP } from "node:net";
import type { Config } from "#services/config/config-schema.ts";
import { PEER_HEADER } from "./peer-header.ts";

/** By the setting itself, which a changed file replaces while the program runs. */
const lists = new WeakMap<readonly string[], BlockList>();

/**
 * The address that a request came from: its connection's peer or, behind trusted proxies, the last address in
 * X-Forwarded-For that is not a trusted proxy. Addresses further left may be forged by the client.
 */
export function sourceOf(config: Config, request: { headers: Headers }): string {
  const peer = plain(request.headers.get(PEER_HEADER) ?? "unknown");
  const trusted = trustedOf(config);
  if (!isTrusted(trusted, peer)) return peer;
  const hops = (request.headers.get("x-forwarded-for") ?? "").split(",").map((hop) => plain(hop.trim()));
  return hops.findLast((hop) => isIP(hop) !== 0 && !isTrusted(trusted, hop)) ?? peer;
}

/**
 * True if the connection itself comes from a proxy whose headers count: one on this machine, or in
 * `console.trustedProxies`.
 */
export function isFromTrustedProxy(config: Config, { headers }: { headers: Headers }): boolean {
  return isTrusted(trustedOf(config), plain(headers.get(PEER_HEADER) ?? "unknown"));
}

/** True if the connection itself comes from one of the addresses or networks. */
export function isPeerIn(entries: readonly string[], { headers }: { headers: Headers }): boolean {
  return isTrusted(listOf(entries), plain(headers.get(PEER_HEADER) ?? "unknown"));
}

/** This machine's own addresses, and `console.trustedProxies`. */
function trustedOf(config: Config): BlockList {
  const { trustedProxies } = config.console;
  const found = lists.get(trustedProxies);
  if (found) return found;
  const list = listOf(["127.0.0.0/8", "::1", ...trustedProxies]);
  lists.set(trustedProxies, list);
  return list;
}

function listOf(entries: readonly string[]): BlockList {
  const list = new BlockList();
  for (const entry of entries) {
    const [address = "", bits] = entry.split("/");
    const family = isIP(address) === 6 ? "ipv6" : "ipv4";
    if (bits === undefined) list.addAddress(address, family);
    else list.addSubnet(address, Number(bits), family);
  }
  return list;
}

function isTrusted(list: BlockList, address: string): boolean {
  const version = isIP(address);
  return version !== 0 && list.check(address, version === 6 ? "ipv6" : "ipv4");
}

/** Turns an IPv4-mapped IPv6 address into plain IPv4. */
function plain(address: string): string {
  return address.replace(/^::ffff:(?=\d+\.)/i, "");
}
