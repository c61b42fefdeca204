import { withBasePath } from "#contracts/base-path.ts";

/** To sign in without leaving a page, and what was typed on it. */
export function SignInLink() {
  return (
    <>
      {" "}
      <a className="link" href={withBasePath("/sign-in")} target="_blank" rel="noreferrer">
        Sign in in another tab
      </a>
    </>
  );
}
