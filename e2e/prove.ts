import type { Page } from "playwright-core";

/** Fills the password dialog before an act of an administrator without a second factor. */
export async function prove(page: Page, { password }: { password: string }): Promise<void> {
  const dialog = page.getByRole("dialog", { name: "אישור בסיסמה" });
  await dialog.getByLabel("הסיסמה הנוכחית").fill(password);
  await dialog.getByRole("button", { name: "אישור" }).click();
}
