import type { ComponentType } from "react";

/** The script of a component, loaded once. A failed load is not kept: the next use asks again. */
export class LazyScript<Props> {
  loaded: ComponentType<Props> | undefined;
  readonly #request: () => Promise<ComponentType<Props>>;
  #pending: Promise<void> | undefined;

  constructor(request: () => Promise<ComponentType<Props>>) {
    this.#request = request;
  }

  /** @throws whatever the browser reports when the script does not arrive */
  load(): Promise<void> {
    this.#pending ??= this.#request().then(
      (component) => {
        this.loaded = component;
      },
      (error: unknown) => {
        this.#pending = undefined;
        throw error;
      },
    );
    return this.#pending;
  }

  /** Loads it early. A failure is reported when the component is used. */
  preload = (): void => {
    this.load().catch(() => undefined);
  };
}
