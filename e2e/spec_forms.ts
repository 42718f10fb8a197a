/** The forms' fields and acts for the files that prove the specification's rows. */
import { Buffer } from "node:buffer";
import type { Page } from "playwright-core";

export const campaignName = (page: Page) => page.getByPlaceholder("למשל: קמפיין סתיו 2024");
export const service = (page: Page) => page.getByRole("radio", { name: "שירות" }).check();
export const message = (page: Page) => page.getByRole("textbox", { name: "תוכן ההודעה" });

export function csv(rows: string) {
  return { name: "לקוחות.csv", mimeType: "text/csv", buffer: Buffer.from(`${rows}\n`) };
}

export function userFields(page: Page) {
  const card = page.getByRole("region", { name: "משתמש חדש" });
  return { name: card.getByLabel("שם משתמש"), password: card.getByLabel("סיסמה") };
}

export async function writeUser(page: Page, username: string, word: string): Promise<void> {
  const { name, password } = userFields(page);
  await name.fill(username);
  await password.fill(word);
  await page.getByRole("button", { name: "צור משתמש" }).click();
}

export async function openLoad(page: Page, username: string) {
  await page.getByRole("listitem").filter({ hasText: username })
    .getByRole("button", { name: "טען הודעות" }).click();
  const dialog = page.getByRole("dialog", { name: `טען הודעות ל-${username}` });
  await dialog.waitFor();
  return dialog;
}
