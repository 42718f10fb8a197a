import { useMutation, useQueryClient } from "@tanstack/react-query";
import type { User } from "shared/http_api.ts";
import { apiJson } from "../../data/api_client.ts";
import { showToast } from "../../ui/toast_store.ts";
import { usersQuery } from "./get_users.ts";
import { CORRECT } from "./text.ts";

export interface Correction {
  client: User;
  /** Negative to take. */
  delta: number;
  reason: string;
  /** Identifies the wish, so that a repeat after a lost response is not counted twice. */
  requestId: string;
}

/** Corrects a client's quota, shows the new balance, and calls `onDone`. After a refusal it reads the balance again. */
export function useCorrectQuota(onDone: () => void) {
  const cache = useQueryClient();
  return useMutation({
    mutationFn: ({ client, ...body }: Correction) =>
      apiJson<User>("POST", `/api/users/${client.id}/quota/corrections`, { body }),
    onSuccess: ({ messageQuota }) => {
      onDone();
      showToast({ title: CORRECT.doneTitle, description: CORRECT.done(messageQuota), tone: "ok" });
    },
    onSettled: () => cache.invalidateQueries({ queryKey: usersQuery.queryKey }),
  });
}
