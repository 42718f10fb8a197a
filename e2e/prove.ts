import type { Page } from "playwright-core";

/** Answers the question for the password before an act of an administrator who has no second factor. */
export async function prove(page: Page, { password }: { password: string }): Promise<void> {
  const dialog = page.getByRole("dialog", { name: "אישור בסיסמה" });
  await dialog.getByLabel("הסיסמה הנוכחית").fill(password);
  await dialog.getByRole("button", { name: "אישור" }).click();
}
