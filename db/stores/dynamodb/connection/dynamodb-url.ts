const FORM = "must be dynamodb://<region>, with ?endpoint=<URL> for a server that is not Amazon's";

export interface DynamodbPlace {
  region: string;
  /** Null: Amazon's, by the region. */
  endpoint: string | null;
}

/**
 * Parts of a store's URL, e.g. `dynamodb://eu-central-1?endpoint=http%3A%2F%2F127.0.0.1%3A8000`. Throws TypeError for a
 * URL that `problemOfUrl` refuses.
 */
export function placeOfUrl(url: string): DynamodbPlace {
  const { hostname, searchParams } = new URL(url);
  return { region: hostname, endpoint: searchParams.get("endpoint") };
}

/** Sentence: why the URL would be misread; null if it would not. Never repeats a part of the URL. */
export function problemOfUrl(url: string): string | null {
  if (!URL.canParse(url) || new URL(url).protocol !== "dynamodb:") return FORM;
  const { region, endpoint } = placeOfUrl(url);
  if (!/^[a-z0-9-]+$/.test(region)) return FORM;
  return endpoint === null || /^https?:\/\/[^/@]+\/?$/.test(endpoint) ? null : FORM;
}

/** The region, or the host of another server than Amazon's, which the URL or the SDK's own variables name. */
export function addressOf(url: string, env: Readonly<Record<string, string | undefined>> = process.env): string {
  if (problemOfUrl(url) !== null) return "an address that is not a URL of DynamoDB";
  const { region, endpoint } = placeOfUrl(url);
  const other = endpoint ?? endpointIn(env);
  if (other !== null) return `${new URL(other).host}/${region}`;
  return `dynamodb.${region}.amazonaws.com${region.startsWith("cn-") ? ".cn" : ""}`;
}

/** By the AWS SDK's rules. */
function endpointIn(env: Readonly<Record<string, string | undefined>>): string | null {
  if (env.AWS_IGNORE_CONFIGURED_ENDPOINT_URLS === "true") return null;
  const named = env.AWS_ENDPOINT_URL_DYNAMODB || env.AWS_ENDPOINT_URL;
  return named && URL.canParse(named) ? named : null;
}
