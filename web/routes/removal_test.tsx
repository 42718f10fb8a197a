import { withApp } from "../testing/open_app.tsx";
import assert from "node:assert/strict";
import { screen } from "@testing-library/react";
import { REMOVAL_PATH } from "shared/removal_address.ts";
import { PATHS } from "../paths.ts";
import type { FakeEdge } from "../testing/fake_edge_api.ts";

const TOKEN = "1abc";
const path = `${REMOVAL_PATH}${TOKEN}`;
const prepare = (edge: FakeEdge) => {
  edge.removal = { token: TOKEN, sender: "משק הדר", phone: "+97254•••0001", isRemoved: false };
};

Deno.test("a recipient's page removes at one press, without a login, and says so", async () => {
  assert.equal(PATHS.removal(TOKEN), path);
  await withApp({ path, prepare }, async ({ edge, user }) => {
    const button = await screen.findByRole("button", { name: "הסירו אותי" });
    assert.match(document.body.textContent!, /נשלחה בשם משק הדר אל המספר 054-•••-0001/);
    assert.equal(edge.removal!.isRemoved, false);
    await user.click(button);
    const heading = await screen.findByRole("heading", { level: 1, name: "הוסרתם" });
    assert.ok(document.activeElement === heading);
    assert.deepEqual(edge.requests, [`GET /api/removals/${TOKEN}`, `POST /api/removals/${TOKEN}`]);
  });
});

Deno.test("a recipient's page says what to do when the link is over, and asks again after a lost answer", async () => {
  const over = (edge: FakeEdge) => {
    prepare(edge);
    edge.refusals.set(`GET /api/removals/${TOKEN}`, { code: "removal_link_over", error: "אינו פעיל" });
  };
  await withApp({ path, prepare: over }, async () => {
    await screen.findByRole("heading", { level: 1, name: "הקישור כבר אינו פעיל" });
    assert.match(document.body.textContent!, /השיבו להודעה שקיבלתם במילה אחת: "הסר"/);
  });
  const lost = (edge: FakeEdge) => {
    prepare(edge);
    edge.refusals.set(`POST /api/removals/${TOKEN}`, "lost_answer");
  };
  await withApp({ path, prepare: lost }, async ({ user }) => {
    await user.click(await screen.findByRole("button", { name: "הסירו אותי" }));
    assert.match((await screen.findByRole("alert")).textContent!, /^ההסרה עוד לא נעשתה/);
    await user.click(screen.getByRole("button", { name: "הסירו אותי" }));
    await screen.findByRole("heading", { level: 1, name: "הוסרתם" });
  });
});
