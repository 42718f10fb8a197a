/** A person with a keyboard and no mouse: moving the focus, and asking where it is. */
import type { Page } from "playwright-core";
import { becomes, PATIENCE_MS, until } from "./product.ts";

const FOCUSABLE = "a, button, input, select, textarea, [tabindex]";

/** Presses Tab until the element of that name, there by now or soon, has the focus. @throws Error after `most` times */
export async function tabTo(page: Page, name: string, most = 60): Promise<void> {
  const isThere = async () => (await page.locator(FOCUSABLE).evaluateAll(namesOf)).includes(name);
  await until(isThere, PATIENCE_MS, `"${name}" on ${page.url()}`);
  await drawn(page);
  const passed: string[] = [];
  for (let turn = 0; turn < most; turn++) {
    await page.keyboard.press("Tab");
    passed.push(await focused(page));
    if (passed.at(-1) === name) return;
  }
  throw new Error(`Tab does not reach "${name}", only: ${passed.join(" | ")}`);
}

/** Name of the element that has the focus: its own label, that of its field, or its words. */
export async function focused(page: Page): Promise<string> {
  return (await page.locator("*:focus").evaluateAll(namesOf))[0] ?? "";
}

/** Waits until the element of that name has the focus, as a dialog that closes or a screen that opens moves it. */
export async function focusComesTo(page: Page, name: string): Promise<void> {
  await becomes(() => focused(page), name, "the focus");
}

/** Whether the focus is in an open dialog, or between two of its turns in the browser's own frame. */
export async function staysInDialog(page: Page): Promise<boolean> {
  return await page.evaluate(() => {
    const { activeElement } = document;
    return activeElement === document.body || activeElement?.closest("dialog") !== null;
  });
}

/**
 * Waits until what the last drawing left to do is done: a screen that is seen listens to its keys and sets its focus
 * only after the frame that shows it.
 */
export async function drawn(page: Page): Promise<void> {
  await page.evaluate(() => new Promise((done) => requestAnimationFrame(() => setTimeout(done))));
}

/** Presses keys on a screen that is heard to listen. */
export async function press(page: Page, keys: string): Promise<void> {
  await drawn(page);
  await page.keyboard.press(keys);
}

/** Runs in the page. */
function namesOf(elements: Element[]): string[] {
  return elements.map((element) =>
    (element.getAttribute("aria-label") ?? (element as HTMLInputElement).labels?.[0]?.textContent ??
      element.textContent ?? "").trim()
  );
}
