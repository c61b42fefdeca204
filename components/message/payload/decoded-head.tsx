import { CopyButton } from "#components/ui/controls/copy-button.tsx";
import type { DecodedPayload } from "#contracts/message/payloads.ts";
import { formatBytes } from "#domain/format.ts";
import css from "./payload.module.css";

/** What the payload is: "bytea · gzip · CloudEvents 1.0 · JSON, 3.1 kB", then envelopes, references and notices. */
export function DecodedHead({ decoded }: { decoded: DecodedPayload }) {
  return (
    <>
      <p className={css.chain} data-testid="payload-chain">
        {decoded.chain.join(" · ")}, <span className={css.whole}>{formatBytes(decoded.bytes)}</span>
        {decoded.body.kind === "unknown" && ", format not recognised"}
      </p>
      {decoded.envelopes.map((envelope, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: envelopes inside each other, in a fixed order
        <dl key={index} className={css.envelope} aria-label={`Facts of ${envelope.name}`}>
          {envelope.facts.map((fact, place) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: facts in a fixed order, and names may repeat
            <div key={place}>
              <dt>{fact.name}</dt>
              <dd className="mono">
                <bdi>{fact.value}</bdi>
              </dd>
            </div>
          ))}
        </dl>
      ))}
      {decoded.remarks.map((remark) => (
        <p key={remark} className={css.remark}>
          {remark}
        </p>
      ))}
      {decoded.references.map(({ place, address }) => (
        <p key={address} className={css.reference} data-testid="payload-reference">
          Claim check, {place}: <bdi className="mono">{address}</bdi>{" "}
          <CopyButton text={address} label="Copy the reference" /> The content is there, not in this row; the console
          does not fetch it.
        </p>
      ))}
      {decoded.notices.map((notice) => (
        <p key={notice} className={css.notice}>
          {notice}
        </p>
      ))}
    </>
  );
}
