import { config } from "zod";

/**
 * The content security policy forbids eval, and zod's probe for it would be reported as a violation. This must run
 * before any contract loads, so the providers import it first.
 */
config({ jitless: true });
