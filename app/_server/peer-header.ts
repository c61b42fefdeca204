/** Holds the address of a connection's other end; the request gate sets it and overwrites what a client sent. */
export const PEER_HEADER = "x-outbox-console-peer";
