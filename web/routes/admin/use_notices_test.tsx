import { untilIdle, withApp } from "../../testing/open_app.tsx";
import type { FakeEdge } from "../../testing/fake_edge_api.ts";
import { makeActivity } from "../../testing/make_fleet.ts";
import assert from "node:assert/strict";
import { screen, waitFor, within } from "@testing-library/react";

Deno.test("an alert is announced once, also when an older answer arrives later", async () => {
  const before = makeActivity({ id: 5, message: "האתר התחבר" });
  const lost = makeActivity({
    id: 6,
    type: "error",
    code: "site_lost",
    message: "האתר התנתק",
    detail: "חיפה",
  });
  const prepare = (edge: FakeEdge) => {
    edge.admin.activity = [before];
    return edge.addUser({ username: "menahel", role: "admin" });
  };
  await withApp({ path: "/admin", prepare }, async ({ edge, user, untilLive }) => {
    const feed = within(await screen.findByRole("list", { name: "פעילות אחרונה" }));
    const untilLines = (count: number) =>
      waitFor(() => assert.equal(feed.getAllByRole("listitem").length, count));
    await untilLive();
    edge.emit({ type: "activity", data: lost });
    await screen.findByText("האתר התנתק: חיפה", { selector: ".toast-card *" });
    // The region around it accepts clicks only after the next render.
    await waitFor(() => user.click(screen.getByRole("button", { name: "סגירת ההודעה" })));

    const refresh = screen.getByRole("button", { name: "רענון נתונים" });
    await user.click(refresh);
    await untilLines(1);
    // Other responses to that press may still be on their way.
    await untilIdle();
    edge.admin.activity = [lost, before];
    await user.click(refresh);
    await untilLines(2);
    edge.emit({ type: "activity", data: makeActivity({ id: 7, message: "האתר חזר" }) });
    await untilLines(3);
    assert.ok(screen.queryByText("דרושה תשומת לב") === null);
  });
});
