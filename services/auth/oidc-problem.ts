import { AuthorizationResponseError, ClientError, ResponseBodyError } from "openid-client";

/** Sentence for the person who wanted to sign in: the problem between the console and the provider. */
export function oidcProblem(error: unknown, issuer: string): string {
  const host = new URL(issuer).host;
  if (error instanceof AuthorizationResponseError)
    return error.error === "access_denied"
      ? `${host} refused the sign-in.`
      : `${host} answered the sign-in with “${word(error.error)}”.`;
  if (error instanceof ResponseBodyError)
    return error.error === "invalid_grant"
      ? "This sign-in was used already or has expired: start again."
      : `${host} answered the console with “${word(error.error)}”: its client settings and the console's may differ.`;
  if (error instanceof ClientError) return clientProblem(error, host);
  return `${host} does not answer the console.`;
}

function clientProblem(error: ClientError, host: string): string {
  switch (error.code) {
    case "OAUTH_JWT_TIMESTAMP_CHECK_FAILED":
      return `The ID token of ${host} has expired or is not valid yet: the clocks may differ by more than auth.clockSkew.`;
    case "OAUTH_JWT_CLAIM_COMPARISON_FAILED":
      return claimOf(error) === "aud"
        ? `The ID token of ${host} is for another program than auth.clientId.`
        : `The ID token of ${host} does not belong to this sign-in: its ${word(claimOf(error))} differs.`;
    case "OAUTH_TIMEOUT":
      return `${host} does not answer the console.`;
    default:
      return `The answer of ${host} is not valid, so nobody was signed in.`;
  }
}

/** The claim that differed, from the innermost cause that names one. */
function claimOf(error: Error): string {
  for (let cause: unknown = error; cause; cause = (cause as { cause?: unknown }).cause)
    if (typeof cause === "object" && "claim" in cause) return String(cause.claim);
  return "claim";
}

function word(text: string): string {
  return text.replace(/[^\w .-]/g, "").slice(0, 60);
}
