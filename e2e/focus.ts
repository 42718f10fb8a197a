/** Acts like a person with a keyboard and no mouse: moves the focus and reads its place. */
import type { Page } from "playwright-core";
import { becomes, PATIENCE_MS, until } from "./wait.ts";

const FOCUSABLE = "a, button, input, select, textarea, [tabindex]";

/**
 * Presses Tab until the element of that name has the focus; it may appear meanwhile.
 *
 * @throws {Error} after `most` presses
 */
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

/** Returns the name of the focused element: its label, its field's label, or its text. */
export async function focused(page: Page): Promise<string> {
  return (await page.locator("*:focus").evaluateAll(namesOf))[0] ?? "";
}

/** Waits until the element of that name has the focus, after a dialog closes or a screen opens. */
export async function focusComesTo(page: Page, name: string): Promise<void> {
  await becomes(() => focused(page), name, "the focus");
}

/** Returns whether the focus is in an open dialog, or in the browser's own frame between two rounds of Tab. */
export async function staysInDialog(page: Page): Promise<boolean> {
  return await page.evaluate(() => {
    const { activeElement } = document;
    return activeElement === document.body || activeElement?.closest("dialog") !== null;
  });
}

/**
 * Waits for the effects of the last render: a visible screen handles keys and sets its focus only after the frame
 * that shows it.
 */
export async function drawn(page: Page): Promise<void> {
  await page.evaluate(() => new Promise((done) => requestAnimationFrame(() => setTimeout(done))));
}

/** Presses keys once the screen handles them. */
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
