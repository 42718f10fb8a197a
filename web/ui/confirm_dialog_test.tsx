import "../testing/open_app.tsx";
import assert from "node:assert/strict";
import { cleanup, render, screen } from "@testing-library/react";
import { userEvent } from "@testing-library/user-event";
import { ConfirmDialog } from "./confirm_dialog.tsx";

const WEB = new URL("../", import.meta.url);
/** Dialogs with a red button of their own: it comes after a typed password or a choice, which has the focus. */
const ASK_FIRST = [
  "features/campaigns/reached_dialog.tsx",
  "features/deliveries/resolve_dialog.tsx",
  "features/session/both_factors_dialog.tsx",
  "features/session/end_sessions_dialog.tsx",
];

function open(props: Partial<Parameters<typeof ConfirmDialog>[0]>) {
  const done = { confirmed: 0, left: 0 };
  render(
    <ConfirmDialog
      title="למחוק?"
      confirm="מחיקה"
      busyText="מוחק..."
      busy={false}
      onConfirm={() => done.confirmed++}
      onClose={() => done.left++}
      {...props}
    >
      שלוש הודעות יימחקו.
    </ConfirmDialog>,
  );
  return done;
}

Deno.test("a destructive question focuses the way out: Enter twice destroys nothing", async () => {
  try {
    const done = open({});
    assert.ok(document.activeElement === screen.getByRole("button", { name: "ביטול" }));
    await userEvent.setup().keyboard("{Enter}");
    assert.deepEqual(done, { confirmed: 0, left: 1 });
  } finally {
    cleanup();
  }
});

Deno.test("a question with a word is confirmed by that word alone", async () => {
  try {
    const done = open({ word: "איפוס" });
    const user = userEvent.setup();
    await user.click(screen.getByRole("button", { name: "מחיקה" }));
    await user.keyboard("לא{Enter}");
    assert.deepEqual(done, { confirmed: 0, left: 0 });
    assert.ok(screen.getByText("נא לכתוב בדיוק: איפוס"));
    const field = screen.getByLabelText("להמשך כותבים כאן: איפוס");
    await user.clear(field);
    await user.type(field, " איפוס {Enter}");
    assert.deepEqual(done, { confirmed: 1, left: 0 });
  } finally {
    cleanup();
  }
});

Deno.test("every red button of a dialog is ConfirmDialog's, or comes after a password or a choice", async () => {
  const found: string[] = [];
  for (const path of await sources("features", "routes", "ui")) {
    const text = await Deno.readTextFile(new URL(path, WEB));
    if (/ui\/dialog\.tsx"/.test(text) && /btn-error/.test(text)) found.push(path);
  }
  assert.deepEqual(found.sort(), ASK_FIRST);
});

async function sources(...folders: string[]): Promise<string[]> {
  const found: string[] = [];
  for (const folder of folders) {
    for await (const { name, isDirectory } of Deno.readDir(new URL(folder, WEB))) {
      if (isDirectory) found.push(...await sources(`${folder}/${name}`));
      else if (name.endsWith(".tsx") && !name.endsWith("_test.tsx")) found.push(`${folder}/${name}`);
    }
  }
  return found;
}
