import "../testing/browser_env.ts";
import assert from "node:assert/strict";
import { cleanup, render, screen } from "@testing-library/react";
import { userEvent } from "@testing-library/user-event";
import { lazyPart } from "./lazy_part.tsx";

function Ledger({ of }: { of: string }) {
  return <p>התנועות של {of}</p>;
}

Deno.test("lazyPart() does not break the page when its chunk does not load, and appears after another try", async () => {
  let isThere = false;
  const LedgerPart = lazyPart(() =>
    isThere ? Promise.resolve(Ledger) : Promise.reject(new TypeError("gone"))
  );
  try {
    render(
      <>
        <h1>המסך</h1>
        <LedgerPart of="דנה" />
      </>,
    );
    await screen.findByText("החלק הזה של המסך לא נטען");
    assert.ok(screen.getByRole("heading", { name: "המסך" }));
    isThere = true;
    await userEvent.setup().click(screen.getByRole("button", { name: "ניסיון נוסף" }));
    await screen.findByText("התנועות של דנה");
  } finally {
    cleanup();
  }
});

Deno.test("lazyPart() loads its chunk once for all its places", async () => {
  let loads = 0;
  const LedgerPart = lazyPart(() => {
    loads += 1;
    return Promise.resolve(Ledger);
  });
  try {
    const { unmount } = render(<LedgerPart of="דנה" />);
    await screen.findByText("התנועות של דנה");
    unmount();
    render(<LedgerPart of="יוסי" />);
    assert.ok(screen.getByText("התנועות של יוסי"));
    assert.equal(loads, 1);
  } finally {
    cleanup();
  }
});
