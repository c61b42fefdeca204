import { CopyButton } from "#components/ui/controls/copy-button.tsx";
import type { DecodedPayload } from "#contracts/message/payloads.ts";
import { formatBytes } from "#domain/format.ts";
import css from "./payload.module.css";

interface DecodedHeadProps {
  decoded: DecodedPayload;
  /** Notices that the page shows elsewhere; content that is hidden for such a reason may well have been recognised. */
  told: readonly string[];
}

/** What the payload is: "bytea · gzip · CloudEvents 1.0 · JSON, 3.1 kB", then envelopes, references and notices. */
export function DecodedHead({ decoded, told }: DecodedHeadProps) {
  const notices = decoded.notices.filter((notice) => !told.includes(notice));
  const isHidden = notices.length < decoded.notices.length;
  return (
    <>
      <p className={css.chain} data-testid="payload-chain">
        {decoded.chain.join(" · ")}, <span className={css.whole}>{formatBytes(decoded.bytes)}</span>
        {decoded.body.kind === "unknown" && !isHidden && ", format not recognised"}
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
      {notices.map((notice) => (
        <p key={notice} className={css.notice}>
          {notice}
        </p>
      ))}
    </>
  );
}
