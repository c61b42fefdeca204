/** Lets a loop wait until a time has passed or `wake` is called. A wake without a waiter is kept. */
export class Waker {
  #resolve: (() => void) | undefined;
  #woken = false;

  wake(): void {
    this.#woken = true;
    this.#resolve?.();
  }

  async wait(ms: number): Promise<void> {
    if (!this.#woken && ms > 0) {
      await new Promise<void>((resolve) => {
        const timer = setTimeout(resolve, ms);
        this.#resolve = () => {
          clearTimeout(timer);
          resolve();
        };
      });
      this.#resolve = undefined;
    }
    this.#woken = false;
  }
}
