import { createPrivateKey, createSign, generateKeyPairSync } from "node:crypto";
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import Provider from "oidc-provider";

export const CLIENT = { id: "outbox-console", secret: "a secret of this test only" };

export interface TestProvider {
  issuer: string;
  /** Groups of the next user who signs in. */
  groups: unknown;
  /** Changes the claims of the next ID tokens, signed with the provider's own key. */
  tamper: ((claims: Record<string, unknown>) => Record<string, unknown>) | null;
  close(): Promise<void>;
}

/** A real OpenID provider on loopback, which signs in every user as vera with consent. */
export async function startProvider(redirectUri: string): Promise<TestProvider> {
  const { privateKey } = generateKeyPairSync("rsa", { modulusLength: 2048 });
  const jwk = { ...privateKey.export({ format: "jwk" }), kid: "test", alg: "RS256", use: "sig" };
  const server = createServer();
  const port = await listen(server);
  const test: TestProvider = {
    issuer: `http://127.0.0.1:${port}`,
    groups: [],
    tamper: null,
    close: () => new Promise((resolve) => server.close(() => resolve())),
  };
  const provider = new Provider(test.issuer, {
    jwks: { keys: [jwk] },
    clients: [
      {
        client_id: CLIENT.id,
        client_secret: CLIENT.secret,
        redirect_uris: [redirectUri],
        post_logout_redirect_uris: [new URL("/sign-in", redirectUri).href],
      },
    ],
    claims: { openid: ["sub", "email", "groups"] },
    conformIdTokenClaims: false,
    features: {
      devInteractions: { enabled: false },
      // Its own page would load a font from another host.
      rpInitiatedLogout: { logoutSource: (ctx: { body: unknown }, form: string) => Object.assign(ctx, { body: form }) },
    },
    interactions: { url: (_: unknown, { uid }: { uid: string }) => `/interaction/${uid}` },
    ttl: { AccessToken: 600, Grant: 600, IdToken: 600, Interaction: 600, Session: 600 },
    cookies: { keys: ["a key of this test only"] },
    findAccount: (_: unknown, sub: string) => ({
      accountId: sub,
      claims: () => ({ sub, email: `${sub}@example.org`, groups: test.groups }),
    }),
    loadExistingGrant: async (ctx: { oidc: { client: { clientId: string }; session: { accountId: string } } }) => {
      const grant = new provider.Grant({ clientId: ctx.oidc.client.clientId, accountId: ctx.oidc.session.accountId });
      grant.addOIDCScope("openid profile email");
      grant.addOIDCClaims(["email", "groups"]);
      await grant.save();
      return grant;
    },
  });
  provider.use(async (ctx, next) => {
    await next();
    const { tamper } = test;
    const body = ctx.body as { id_token?: string } | undefined;
    if (tamper && ctx.path === "/token" && body?.id_token)
      ctx.body = { ...body, id_token: resign(body.id_token, tamper, createPrivateKey({ key: jwk, format: "jwk" })) };
  });
  server.on("request", (request: IncomingMessage, response) => {
    if (request.url?.startsWith("/interaction/")) return void signVeraIn(provider, request, response);
    return provider.callback()(request, response);
  });
  return test;
}

async function signVeraIn(provider: Provider, request: IncomingMessage, response: ServerResponse): Promise<void> {
  await provider.interactionFinished(request, response, { login: { accountId: "vera" } });
}

function resign(
  token: string,
  tamper: NonNullable<TestProvider["tamper"]>,
  key: ReturnType<typeof createPrivateKey>,
): string {
  const [header = "", payload = ""] = token.split(".");
  const claims = tamper(JSON.parse(Buffer.from(payload, "base64url").toString()));
  const signed = `${header}.${Buffer.from(JSON.stringify(claims)).toString("base64url")}`;
  return `${signed}.${createSign("RSA-SHA256").update(signed).sign(key, "base64url")}`;
}

function listen(server: Server): Promise<number> {
  return new Promise((resolve) => server.listen(0, "127.0.0.1", () => resolve((server.address() as AddressInfo).port)));
}

/** Follows the provider's redirects as a browser does, from the address of the authorization to the callback's. */
export async function walk(from: string, until: string): Promise<string> {
  const jar = new Map<string, string>();
  let at = from;
  for (let hop = 0; hop < 10; hop += 1) {
    if (at.startsWith(until)) return at;
    const cookie = [...jar].map(([name, value]) => `${name}=${value}`).join("; ");
    const response = await fetch(at, { redirect: "manual", headers: { cookie } });
    for (const line of response.headers.getSetCookie()) {
      const [, name = "", value = ""] = /^([^=]+)=([^;]*)/.exec(line) ?? [];
      if (value === "") jar.delete(name);
      else jar.set(name, value);
    }
    const location = response.headers.get("location");
    if (!location) throw new Error(`${at} answered ${response.status}: ${(await response.text()).slice(0, 300)}`);
    at = new URL(location, at).href;
  }
  throw new Error(`The provider redirects in circles; last to ${at}`);
}
