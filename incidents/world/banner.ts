import { type Browser, chromium, type Page } from "@playwright/test";
import { findBrowser } from "../../scripts/lib/find-browser.mjs";

const LOADS_WITHIN_MS = 20_000;

/** Opens pages in a browser, one at a time. */
export class Banner {
  readonly #browser: Browser;
  readonly #page: Page;
  #turn: Promise<unknown> = Promise.resolve();

  private constructor(browser: Browser, page: Page) {
    this.#browser = browser;
    this.#page = page;
  }

  static async open(): Promise<Banner> {
    const { PLAYWRIGHT_CHROMIUM = process.env.PLAYWRIGHT_CHROMIUM, ...found } = await findBrowser();
    const browser = await chromium.launch({
      args: ["--no-sandbox"],
      env: { ...process.env, ...found } as Record<string, string>,
      ...(PLAYWRIGHT_CHROMIUM ? { executablePath: PLAYWRIGHT_CHROMIUM } : {}),
    });
    return new Banner(browser, await browser.newPage({ locale: "en-GB", timezoneId: "UTC" }));
  }

  /** The banner's sentence on an outbox's Overview once it is accepted; otherwise the last sentence. */
  sentence(base: string, outbox: string, accept: (text: string) => boolean): Promise<string> {
    const next = this.#turn.then(() => this.#read(`${base}/?${new URLSearchParams({ outbox })}`, accept));
    this.#turn = next.catch(() => undefined);
    return next;
  }

  async #read(url: string, accept: (text: string) => boolean): Promise<string> {
    await this.#page.goto(url, { timeout: LOADS_WITHIN_MS, waitUntil: "domcontentloaded" });
    const heading = this.#page.getByRole("region", { name: "Verdict" }).getByRole("heading", { level: 1 });
    const deadlineMs = performance.now() + LOADS_WITHIN_MS;
    let text = "";
    while (performance.now() < deadlineMs) {
      text = (await heading.first().textContent({ timeout: LOADS_WITHIN_MS })) ?? "";
      if (accept(text)) break;
      await this.#page.waitForTimeout(200);
    }
    // An open page would keep polling.
    await this.#page.goto("about:blank");
    return text;
  }

  close(): Promise<void> {
    return this.#browser.close();
  }
}
