export { findFreePort } from "#db/embedded/free-port.ts";
