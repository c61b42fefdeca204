import { config } from "zod";

/**
 * The content security policy forbids code made from strings, and zod's probe for it would be reported as a violation.
 * It has to run before any contract is loaded: the providers import it first.
 */
config({ jitless: true });
