import { useMutation, useQueryClient } from "@tanstack/react-query";
import { apiJson } from "../../data/api_client.ts";
import { REPLIES } from "./text.ts";
import { showFailure } from "../../ui/show_failure.ts";
import { showToast } from "../../ui/toast_store.ts";

interface Decision {
  id: number;
  as: "remove" | "keep";
}

/** Sends a person's decision about one reply, and fetches what it changed. */
export function useDecideReply() {
  const cache = useQueryClient();
  return useMutation({
    mutationFn: ({ id, as }: Decision) =>
      apiJson<{ decided: number }>("POST", "/api/replies/decide", { body: { ids: [id], as }, once: true }),
    onSuccess: ({ decided }, { as }) => {
      showToast(decided === 0 ? REPLIES.decidedBefore : REPLIES.decided[as]);
      // A campaign's page shows the number of waiting replies.
      void cache.invalidateQueries({ queryKey: ["/api/campaigns"] });
      return cache.invalidateQueries({ queryKey: ["/api/suppressions"] });
    },
    onError: (error) => showFailure(REPLIES.decideFailedTitle, error, REPLIES.decideFailed),
  });
}
