import { z } from "zod";
import { ROLES } from "#domain/operator.ts";
import { duration } from "./value-schemas.ts";

const passwordHash = z
  .string()
  .regex(/^scrypt\$\d+\$\d+\$\d+\$[\w-]{16,}\$[\w-]{40,}$/, "is not a hash made by `npm run hash-password`");

/** Signs session cookies. */
const sessionSecret = z.string().min(32);
const role = z.enum(ROLES);

const ruleSchema = z.strictObject({
  value: z.string().min(1),
  role,
  /** The only outboxes in which the role holds. */
  outboxes: z.array(z.string().min(1)).min(1).optional(),
});

/** How groups become roles, by OIDC and by a proxy alike. */
const mapping = {
  roles: z.array(ruleSchema).default([]),
  /** Role without a matching rule; explicit, so that an omission admits no one. */
  default: z.enum(["none", ...ROLES]),
};

const httpsOrLoopback = z
  .url({ protocol: /^https?$/ })
  .refine(
    (url) => url.startsWith("https:") || /^http:\/\/(localhost|127\.[\d.]+|\[::1\])([:/]|$)/.test(url),
    "must be https",
  );

const none = z.strictObject({ mode: z.literal("none") });

const password = z
  .strictObject({
    mode: z.literal("password"),
    /** scrypt hashes made by `npm run hash-password`. */
    passwords: z
      .strictObject({
        viewer: passwordHash.optional(),
        operator: passwordHash.optional(),
        admin: passwordHash.optional(),
      })
      .default({}),
    /** People by the name that they sign in with. */
    users: z
      .record(
        z.string().min(1).max(100),
        z.strictObject({
          hash: passwordHash,
          /** Left out: in the named outboxes only. */
          role: role.optional(),
          outboxes: z.record(z.string().min(1), role).default({}),
        }),
      )
      .default({}),
    /** Default: derived from the hashes, so that changing a password ends its sessions. */
    sessionSecret: sessionSecret.optional(),
  })
  .refine(
    ({ passwords, users }) =>
      (passwords.viewer ?? passwords.operator ?? passwords.admin) || Object.keys(users).length > 0,
    "at least one role or user needs a password hash",
  )
  .refine(
    ({ users }) => Object.values(users).every((user) => user.role || Object.keys(user.outboxes).length > 0),
    "each of users needs a role or outboxes",
  );

const oidc = z
  .strictObject({
    mode: z.literal("oidc"),
    issuer: httpsOrLoopback,
    clientId: z.string().min(1),
    clientSecret: z.string().min(1).optional(),
    /** Where people reach the console. */
    url: httpsOrLoopback,
    scope: z.string().default("openid profile email"),
    nameClaim: z.string().min(1).default("email"),
    rolesClaim: z.string().min(1).default("groups"),
    ...mapping,
    clockSkew: duration("30s"),
    sessionSecret: sessionSecret.optional(),
  })
  .refine(
    ({ clientSecret, sessionSecret: own }) => clientSecret ?? own,
    "a client without clientSecret needs sessionSecret",
  );

const proxy = z
  .strictObject({
    mode: z.literal("proxy"),
    userHeader: z.string().toLowerCase().default("x-forwarded-user"),
    groupsHeader: z.string().toLowerCase().default("x-forwarded-groups"),
    ...mapping,
    /** What shows that the proxy sent the request: at least one of the two. */
    secret: z.strictObject({ header: z.string().toLowerCase(), value: z.string().min(16) }).optional(),
    peers: z.array(z.union([z.ipv4(), z.ipv6(), z.cidrv4(), z.cidrv6()])).default([]),
  })
  .refine(
    ({ secret, peers }) => secret ?? peers.length > 0,
    "needs secret or peers: a header alone could come from anybody",
  );

export const authSchema = z.discriminatedUnion("mode", [none, password, oidc, proxy]);

export type OidcConfig = z.output<typeof oidc>;
export type ProxyConfig = z.output<typeof proxy>;
